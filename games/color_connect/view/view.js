// Color Connect: glossy dots on a light board, paths as thick ribbons; every colour also wears its sign.
import * as paint from "/suite/paint.js";

const CELL = ["#fffdf7", "#f7efdf"];

/** Marks and what they stand on: [what, mark, ground]; tests hold them at 3:1. */
export const contrasts = Object.entries(paint.PALETTE).flatMap(([name, { dark }]) => CELL.map((cell) => [`rim of ${name}`, dark, cell]));

export function draw(ctx, scene, motion, t) {
  const { x, y, tile, rows, columns } = scene.frame;
  paint.tray(ctx, x - 18, y - 18, columns * tile + 36, rows * tile + 36, { radius: 22, fill: "#e6d3b1" });
  drawCells(ctx, scene);
  const moving = motion?.kind === "draw" && t < 1 ? motion.changes : [];
  for (const change of moving) drawRibbon(ctx, scene.frame, part(change.gone, 1 - paint.ease(t)), change.colour, true);
  for (const path of scene.paths) {
    const change = moving.find((one) => one.colour === path.colour);
    const cells = change?.grown.length ? growing(path.cells, change.grown, paint.ease(t)) : path.cells;
    drawRibbon(ctx, scene.frame, cells, path.colour, path.finished);
  }
  drawActive(ctx, scene, moving.length > 0);
  for (const dot of scene.dots) drawDot(ctx, scene, dot);
  if (motion?.kind === "refuse" && t < 1) drawRefusal(ctx, scene.frame, motion.cell, t);
}

const same = (a, b) => a[0] === b[0] && a[1] === b[1];

// The first `share` of a path, with a fractional last cell, in cells.
function part(cells, share) {
  if (cells.length < 2) return share > 0 ? cells : [];
  const length = share * (cells.length - 1), whole = Math.floor(length);
  const result = cells.slice(0, whole + 1);
  if (whole + 1 < cells.length) {
    const [a, b] = [cells[whole], cells[whole + 1]];
    result.push([paint.mix(a[0], b[0], length - whole), paint.mix(a[1], b[1], length - whole)]);
  }
  return result;
}

// What was there before plus the grown part; a finished path may be stored from its other end.
function growing(cells, grown, share) {
  const way = same(cells[cells.length - 1], grown[grown.length - 1]) ? cells : [...cells].reverse();
  return [...way.slice(0, way.length - grown.length), ...part(grown, share)];
}

function drawCells(ctx, scene) {
  const { x, y, tile, rows, columns } = scene.frame;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      paint.roundRect(ctx, x + column * tile + 2, y + row * tile + 2, tile - 4, tile - 4, tile * 0.12);
      ctx.fillStyle = CELL[(row + column) % 2];
      ctx.fill();
    }
  }
  for (const [row, column] of scene.blocked) {
    paint.roundRect(ctx, x + column * tile + 3, y + row * tile + 3, tile - 6, tile - 6, tile * 0.12);
    paint.wood(ctx, { x: x + column * tile, y: y + row * tile, width: tile, height: tile }, "walnut", row * 7 + column);
  }
}

function trace(ctx, { x, y, tile }, cells) {
  ctx.beginPath();
  for (const [row, column] of cells) ctx.lineTo(x + (column + 0.5) * tile, y + (row + 0.5) * tile);
}

// A ribbon with a dark rim and a light core; an unfinished one is paler.
function drawRibbon(ctx, frame, cells, name, finished) {
  if (cells.length < 2) return;
  const tone = paint.colour(name);
  ctx.lineCap = ctx.lineJoin = "round";
  for (const [width, style] of [[0.44, tone.dark], [0.36, finished ? tone.fill : tone.light], [0.1, finished ? tone.light : tone.fill]]) {
    trace(ctx, frame, cells);
    ctx.lineWidth = frame.tile * width;
    ctx.strokeStyle = style;
    ctx.stroke();
  }
}

// The active path: a dashed halo around its dot, and a ring where it goes on.
function drawActive(ctx, scene, moving) {
  const path = scene.paths.find((one) => one.pair === scene.active);
  if (!path) return;
  const { x, y, tile } = scene.frame, tone = paint.colour(path.colour);
  const [dot, head] = [path.cells[0], path.cells[path.cells.length - 1]];
  ctx.beginPath();
  ctx.arc(x + (dot[1] + 0.5) * tile, y + (dot[0] + 0.5) * tile, tile * 0.45, 0, Math.PI * 2);
  ctx.fillStyle = tone.light;
  ctx.fill();
  ctx.lineWidth = Math.max(3, tile * 0.055);
  ctx.strokeStyle = paint.TONE.ink;
  ctx.setLineDash([tile * 0.13, tile * 0.09]);
  ctx.stroke();
  ctx.setLineDash([]);
  if (moving || same(dot, head)) return;
  ctx.beginPath();
  ctx.arc(x + (head[1] + 0.5) * tile, y + (head[0] + 0.5) * tile, tile * 0.25, 0, Math.PI * 2);
  ctx.fillStyle = "#ffffff";
  ctx.fill();
  ctx.lineWidth = Math.max(3, tile * 0.07);
  ctx.strokeStyle = tone.dark;
  ctx.stroke();
}

function drawDot(ctx, scene, dot) {
  const { x, y, tile } = scene.frame;
  paint.ball(ctx, x + (dot.cell[1] + 0.5) * tile, y + (dot.cell[0] + 0.5) * tile, tile * 0.335, dot.colour);
}

function drawRefusal(ctx, { x, y, tile }, [row, column], t) {
  const middleX = x + (column + 0.5) * tile + paint.shake(t) * tile * 0.06, middleY = y + (row + 0.5) * tile, arm = tile * 0.2;
  ctx.save();
  ctx.globalAlpha = 1 - paint.fall(t);
  ctx.lineCap = "round";
  for (const [width, style] of [[0.14, "#ffffff"], [0.08, paint.TONE.bad]]) {
    ctx.lineWidth = tile * width;
    ctx.strokeStyle = style;
    ctx.beginPath();
    ctx.moveTo(middleX - arm, middleY - arm);
    ctx.lineTo(middleX + arm, middleY + arm);
    ctx.moveTo(middleX + arm, middleY - arm);
    ctx.lineTo(middleX - arm, middleY + arm);
    ctx.stroke();
  }
  ctx.restore();
}
