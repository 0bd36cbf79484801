// Rush Hour: a car park seen from above. Draws the scene it is sent; knows no rule.
import * as paint from "/suite/paint.js";
import { bush, contrastsOn, vehicle } from "./vehicles.js";

const ASPHALT = ["#4e5258", "#4a4e54"], ROAD = "#4c5056", ARROW = "#ece7de";

/** Marks and what they stand on: [what, mark, ground]; tests hold them at 3:1. */
export const contrasts = [...ASPHALT.flatMap(contrastsOn), ["arrow", ARROW, ROAD]];

export function draw(ctx, scene, motion, t) {
  const area = extent(scene.grid);
  ground(ctx, area, scene);
  cells(ctx, scene.grid);
  gate(ctx, area, scene);
  for (const [x, y] of scene.bushes) bush(ctx, x, y, scene.grid.cell);
  const inHand = scene.vehicles.findIndex((one) => one.shift !== 0);
  scene.vehicles.forEach((one, number) => {
    if (number === inHand) return;
    ctx.globalAlpha = one.x > area.x + area.width && t < 1 ? Math.min(1, 3 * (1 - t)) : 1;  // on its way out
    drawVehicle(ctx, one, number, scene.grid.cell, offset(motion, number, t));
    ctx.globalAlpha = 1;
  });
  if (inHand < 0) return;
  const held = scene.vehicles[inHand];
  ghost(ctx, held);
  drawVehicle(ctx, held, inHand, scene.grid.cell, held.shift, true);
}

/** How far along its axis a vehicle is drawn from where it stands. */
function offset(motion, number, t) {
  if (!motion || t >= 1 || motion.vehicle !== number) return 0;
  return motion.kind === "shake" ? 7 * paint.shake(t) : motion.from * (1 - paint.ease(t));
}

function drawVehicle(ctx, one, number, cell, along, lifted = false) {
  const x = one.x + (one.axis === "h" ? along : 0);
  const y = one.y + (one.axis === "v" ? along : 0);
  vehicle(ctx, { ...one, x, y }, number, cell, lifted);
}

function extent(grid) {
  return { x: grid.x, y: grid.y, width: grid.columns * grid.cell, height: grid.rows * grid.cell };
}

function ground(ctx, area, scene) {
  const kerb = 22, { cell } = scene.grid;
  road(ctx, area.x + area.width, scene.exit.y, kerb + scene.exit.road, cell);
  paint.panel(ctx, area.x - kerb, area.y - kerb, area.width + 2 * kerb, area.height + 2 * kerb, {
    radius: 20, fill: "#bdb5a6", edge: "#7f786b",
  });
  paint.roundRect(ctx, area.x - 6, area.y - 6, area.width + 12, area.height + 12, 10);
  ctx.fillStyle = "#3c4045";
  ctx.fill();
}

/** The opening in the kerb and the arrow on the road. */
function gate(ctx, area, scene) {
  const right = area.x + area.width, { cell } = scene.grid, middle = scene.exit.y + cell / 2;
  ctx.fillStyle = ROAD;
  ctx.fillRect(right - 2, scene.exit.y + 2, 32, cell - 4);
  ctx.fillStyle = "#ffffff";
  for (const y of [scene.exit.y - 5, scene.exit.y + cell - 5]) {
    for (let k = 0; k < 4; k++) {
      ctx.fillStyle = k % 2 ? "#fffaf0" : "#d8433c";
      ctx.fillRect(right + 5 + k * 5, y, 5, 10);
    }
  }
  const barb = Math.min(16, cell * 0.24);
  ctx.beginPath();
  ctx.moveTo(right + 38, middle);
  ctx.lineTo(right + 84, middle);
  ctx.moveTo(right + 84 - barb, middle - barb);
  ctx.lineTo(right + 84, middle);
  ctx.lineTo(right + 84 - barb, middle + barb);
  ctx.strokeStyle = ARROW;
  ctx.lineWidth = Math.min(7, cell * 0.1);
  ctx.lineCap = ctx.lineJoin = "round";
  ctx.stroke();
}

function road(ctx, x, y, length, cell) {
  paint.shadowed(ctx, () => {
    paint.roundRect(ctx, x - 10, y - 4, length, cell + 8, 8);
    ctx.fillStyle = "#a59d8f";
    ctx.fill();
  });
  ctx.fillStyle = ROAD;
  ctx.fillRect(x, y + 2, length - 10, cell - 4);
}

function cells(ctx, grid) {
  const { cell } = grid;
  for (let row = 0; row < grid.rows; row++) {
    for (let column = 0; column < grid.columns; column++) {
      paint.roundRect(ctx, grid.x + column * cell + 2.5, grid.y + row * cell + 2.5, cell - 5, cell - 5, 7);
      ctx.fillStyle = ASPHALT[(row + column) % 2];
      ctx.fill();
      ctx.strokeStyle = "rgba(255, 255, 255, 0.10)";
      ctx.lineWidth = 1.5;
      ctx.stroke();
    }
  }
}

/** Where the vehicle in hand came from. */
function ghost(ctx, one) {
  ctx.save();
  paint.roundRect(ctx, one.x + 7, one.y + 7, one.width - 14, one.height - 14, 16);
  ctx.setLineDash([9, 7]);
  ctx.strokeStyle = "rgba(255, 250, 240, 0.75)";
  ctx.lineWidth = 2.5;
  ctx.stroke();
  ctx.restore();
}
