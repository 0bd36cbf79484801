// Truck Escape: a parking lot seen from above; every vehicle wears an arrow and a cab that show where it drives.
import * as paint from "/suite/paint.js";

const ANGLE = { right: 0, down: Math.PI / 2, left: Math.PI, up: -Math.PI / 2 };
const STEP = { right: [0, 1], down: [1, 0], left: [0, -1], up: [-1, 0] };
const COATS = ["red", "blue", "yellow", "green", "orange", "purple", "cyan", "white"];
const STREET_PX = 44;
const LOT = "#cdd2d6";

/** Marks and what they stand on: [what, mark, ground]; tests hold them at 3:1. */
export const contrasts = COATS.map((name) => [name, paint.colour(name)]).flatMap(([name, coat]) => [
  [`arrow on ${name}`, coat.dark, coat.light], [`rim of ${name}`, coat.dark, LOT],
]);

export function draw(ctx, scene, motion, t) {
  drawLot(ctx, scene.frame);
  const shifts = new Map();
  if (motion?.kind === "bump" && t < 1) addBump(shifts, scene, motion, t);
  for (const vehicle of scene.vehicles) drawVehicle(ctx, scene.frame, vehicle, shifts.get(key(vehicle.tail)) ?? [0, 0]);
  if (motion?.kind === "leave" && t < 1) drawLeaving(ctx, scene.frame, motion.vehicle, t);
}

const key = (cell) => `${cell[0]},${cell[1]}`;

// Out to the obstacle in the first half, back in the second; the vehicle that is hit shivers in between.
function addBump(shifts, scene, motion, t) {
  const moving = scene.vehicles.find((vehicle) => key(vehicle.tail) === key(motion.tail));
  const [down, right] = STEP[moving.direction];
  const reach = (motion.gap + 0.12) * (t < 0.45 ? paint.fall(t / 0.45) : 1 - paint.ease((t - 0.45) / 0.55));
  shifts.set(key(motion.tail), [down * reach, right * reach]);
  if (t > 0.45) {
    const shiver = 0.05 * paint.shake((t - 0.45) / 0.55);
    shifts.set(key(motion.hit), [down * shiver, right * shiver]);
  }
}

function drawLeaving(ctx, frame, vehicle, t) {
  const [down, right] = STEP[vehicle.direction];
  const [row, column] = vehicle.tail;
  const ahead = { right: frame.columns - column, left: column + 1, down: frame.rows - row, up: row + 1 }[vehicle.direction];
  const way = paint.fall(t) * (ahead + 1.2);
  ctx.save();
  ctx.globalAlpha = Math.min(1, (1 - t) * 4);
  drawVehicle(ctx, frame, vehicle, [down * way, right * way]);
  ctx.restore();
}

function drawLot(ctx, { x, y, tile, rows, columns }) {
  const width = columns * tile, height = rows * tile, street = STREET_PX;
  paint.panel(ctx, x - street, y - street, width + 2 * street, height + 2 * street, { radius: 26, fill: "#6f767b", edge: "#565c61" });
  ctx.strokeStyle = "rgba(255, 244, 200, 0.75)";
  ctx.lineWidth = 3;
  ctx.setLineDash([16, 14]);
  paint.roundRect(ctx, x - street / 2, y - street / 2, width + street, height + street, 16);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.fillStyle = LOT;
  ctx.fillRect(x, y, width, height);
  ctx.strokeStyle = "rgba(90, 98, 105, 0.4)";
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  for (let row = 1; row < rows; row++) line(ctx, x, y + row * tile, x + width, y + row * tile);
  for (let column = 1; column < columns; column++) line(ctx, x + column * tile, y, x + column * tile, y + height);
  ctx.stroke();
  ctx.strokeStyle = "rgba(255, 255, 255, 0.8)";
  ctx.lineWidth = 2.5;
  ctx.strokeRect(x, y, width, height);
}

function line(ctx, x0, y0, x1, y1) {
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
}

// The coat is decoration: it follows from where the vehicle is parked.
function coatOf([row, column]) {
  return paint.colour(COATS[(row * 5 + column * 3) % COATS.length]);
}

function drawVehicle(ctx, { x, y, tile }, vehicle, [shiftDown, shiftRight]) {
  const [row, column] = vehicle.tail;
  ctx.save();
  ctx.translate(x + (column + 0.5 + shiftRight) * tile, y + (row + 0.5 + shiftDown) * tile);
  ctx.rotate(ANGLE[vehicle.direction]);
  ctx.scale(tile / 100, tile / 100);
  drawTruck(ctx, vehicle.length * 100, coatOf(vehicle.tail));
  ctx.restore();
}

// A truck that points along +x in a frame of 100 units per cell, its tail cell centred on the origin.
function drawTruck(ctx, length, coat) {
  const back = -42, front = length - 58, cab = front - 46;
  for (const side of [-39, 27]) {
    for (const wheel of [back + 10, cab - 32, front - 28]) {
      paint.roundRect(ctx, wheel, side, 24, 12, 5);
      ctx.fillStyle = "#2c2b30";
      ctx.fill();
    }
  }
  paint.shadowed(ctx, () => body(ctx, back, -33, cab - 4 - back, 66, 7, coat.dark), { dy: 3, blur: 7 });
  body(ctx, back + 3, -30, cab - 10 - back, 60, 6, coat.fill);
  body(ctx, back + 8, -25, cab - 20 - back, 50, 5, coat.light);
  paint.shadowed(ctx, () => body(ctx, cab, -33, front - cab, 66, 16, coat.dark), { dy: 3, blur: 7 });
  body(ctx, cab + 3, -29, 22, 58, 9, coat.fill);
  body(ctx, cab + 24, -26, 13, 52, 6, "#d8eefb");
  for (const side of [-26, 16]) body(ctx, front - 6, side, 7, 10, 3, "#fff3b0");
  drawArrow(ctx, (back + cab - 4) / 2, Math.min(1.5, (cab - back) / 60), coat);
}

function body(ctx, x, y, width, height, radius, fill) {
  paint.roundRect(ctx, x, y, width, height, radius);
  ctx.fillStyle = fill;
  ctx.fill();
}

function drawArrow(ctx, x, size, coat) {
  ctx.beginPath();
  for (const [dx, dy] of [[24, 0], [4, -19], [4, -8], [-22, -8], [-22, 8], [4, 8], [4, 19]]) ctx.lineTo(x + dx * size, dy * Math.min(size, 1.1));
  ctx.closePath();
  ctx.fillStyle = coat.dark;
  ctx.fill();
}
