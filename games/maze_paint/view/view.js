// Maze Paint: a sunken floor between raised wooden walls; the ball leaves wet paint behind.
import * as paint from "/suite/paint.js";

const BARE = ["#f7f0e2", "#efe5d2"];
const WET = ["#ff9d6e", "#f98c5a"];
const WALL = { face: "#6f5239", top: "#7a5738", edge: "#553a22", light: "#a98460" };
const STUD = "#8c6a49";

/** Marks and what they stand on: [what, mark, ground]; tests hold them at 3:1. */
export const contrasts = [
  ...BARE.flatMap((floor) => [["stud", STUD, floor], ["wall", WALL.top, floor]]),
  ...WET.flatMap((floor) => [["wall", WALL.edge, floor], ["ball", paint.colour("blue").dark, floor]]),
];

export function draw(ctx, scene, motion, t) {
  const { x, y, tile, rows, columns } = scene.frame;
  paint.tray(ctx, x - 18, y - 18, columns * tile + 36, rows * tile + 36, { radius: 22, fill: WALL.face, rim: "#6b4424" });
  const place = ballPlace(scene, motion, t);
  drawFloor(ctx, scene, coverOf(scene, motion, place));
  drawWalls(ctx, scene);
  drawBall(ctx, x + (place.column + 0.5) * tile, y + (place.row + 0.5) * tile, tile * 0.33);
}

// Where the ball is at time t, in cells; `along` is how far it has come from the start of the slide.
function ballPlace(scene, motion, t) {
  const [row, column] = scene.ball;
  if (motion?.kind === "bump" && t < 1) {
    const push = 0.13 * Math.sin(Math.PI * t);
    return { row: row + motion.direction[0] * push, column: column + motion.direction[1] * push, along: 0 };
  }
  if (motion?.kind !== "slide" || t >= 1) return { row, column, along: Infinity };
  const [row0, column0] = motion.from;
  const length = Math.abs(row - row0) + Math.abs(column - column0);
  const way = paint.ease(t);
  return { row: paint.mix(row0, row, way), column: paint.mix(column0, column, way), along: way * length };
}

// Share of each cell that is painted: 1, except for the cells the ball has still to cross.
function coverOf(scene, motion, place) {
  const fresh = new Map();
  if (motion?.kind === "slide" && place.along !== Infinity) {
    for (const [row, column] of motion.fresh) {
      const distance = Math.abs(row - motion.from[0]) + Math.abs(column - motion.from[1]);
      fresh.set(`${row},${column}`, Math.max(0, Math.min(1, place.along - distance + 0.6)));
    }
  }
  return (row, column) => fresh.get(`${row},${column}`) ?? 1;
}

function drawFloor(ctx, scene, cover) {
  const { x, y, tile } = scene.frame;
  eachCell(scene, (mark, row, column) => {
    if (mark === "#") return;
    const left = x + column * tile, top = y + row * tile, odd = (row + column) % 2;
    ctx.fillStyle = BARE[odd];
    ctx.fillRect(left, top, tile, tile);
    ctx.strokeStyle = "rgba(140, 105, 70, 0.16)";
    ctx.lineWidth = 1;
    ctx.strokeRect(left + 0.5, top + 0.5, tile - 1, tile - 1);
    if (mark === ".") drawStud(ctx, left + tile / 2, top + tile / 2, tile);
    else drawPaint(ctx, left, top, tile, cover(row, column), odd);
  });
}

// A small ring marks a bare cell, so that colour alone does not say what is left to paint.
function drawStud(ctx, x, y, tile) {
  ctx.beginPath();
  ctx.arc(x, y, tile * 0.09, 0, Math.PI * 2);
  ctx.strokeStyle = STUD;
  ctx.lineWidth = Math.max(1.5, tile * 0.025);
  ctx.stroke();
}

function drawPaint(ctx, left, top, tile, share, odd) {
  if (share <= 0) return drawStud(ctx, left + tile / 2, top + tile / 2, tile);
  const side = tile * share, inset = (tile - side) / 2;
  paint.roundRect(ctx, left + inset, top + inset, side, side, tile * 0.5 * (1 - share));
  ctx.fillStyle = WET[odd];
  ctx.fill();
  ctx.strokeStyle = "rgba(255, 255, 255, 0.28)";
  ctx.lineWidth = Math.max(1.5, tile * 0.03);
  ctx.beginPath();
  ctx.arc(left + tile * 0.34, top + tile * 0.36, side * 0.13, Math.PI, Math.PI * 1.6);
  ctx.stroke();
}

function drawWalls(ctx, scene) {
  const { x, y, tile } = scene.frame;
  const isWall = (row, column) => (scene.cells[row]?.[column] ?? "#") === "#";
  eachCell(scene, (mark, row, column) => {
    if (mark !== "#") return;
    const left = x + column * tile, top = y + row * tile;
    ctx.fillStyle = WALL.top;
    ctx.fillRect(left, top, tile + 0.5, tile + 0.5);
    if (!isWall(row + 1, column)) {
      ctx.fillStyle = WALL.edge;
      ctx.fillRect(left, top + tile * 0.84, tile, tile * 0.16);
    }
    ctx.fillStyle = WALL.light;
    if (!isWall(row - 1, column)) ctx.fillRect(left, top, tile, tile * 0.05);
    if (!isWall(row, column - 1)) ctx.fillRect(left, top, tile * 0.035, isWall(row + 1, column) ? tile : tile * 0.84);
    if (!isWall(row, column + 1)) {
      ctx.fillStyle = WALL.edge;
      ctx.fillRect(left + tile * 0.97, top, tile * 0.03, tile);
    }
  });
  eachCell(scene, (mark, row, column) => {
    if (mark === "#") return;
    const left = x + column * tile, top = y + row * tile, depth = tile * 0.1;
    if (isWall(row - 1, column)) fillShade(ctx, left, top, tile, depth, 0, 1);
    if (isWall(row, column - 1)) fillShade(ctx, left, top, depth, tile, 1, 0);
  });
}

// The shadow that a wall casts on the floor below it (down = 1) or right of it (right = 1).
function fillShade(ctx, left, top, width, height, right, down) {
  const gradient = ctx.createLinearGradient(left, top, left + right * width, top + down * height);
  gradient.addColorStop(0, "rgba(60, 35, 15, 0.34)");
  gradient.addColorStop(1, "rgba(60, 35, 15, 0)");
  ctx.fillStyle = gradient;
  ctx.fillRect(left, top, width, height);
}

function drawBall(ctx, x, y, radius) {
  paint.ball(ctx, x, y, radius, "blue", { mark: false });
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, Math.PI * 2);
  ctx.strokeStyle = paint.colour("blue").dark;
  ctx.lineWidth = Math.max(2, radius * 0.12);
  ctx.stroke();
  ctx.beginPath();
  ctx.ellipse(x - radius * 0.32, y - radius * 0.42, radius * 0.26, radius * 0.16, -0.6, 0, Math.PI * 2);
  ctx.fillStyle = "rgba(255, 255, 255, 0.75)";
  ctx.fill();
}

function eachCell(scene, visit) {
  scene.cells.forEach((line, row) => [...line].forEach((mark, column) => visit(mark, row, column)));
}
