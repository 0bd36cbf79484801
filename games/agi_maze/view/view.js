// AGI Maze: what is known of a maze seen from above, what is carried, and three rows of arrows.
import * as paint from "/suite/paint.js";

const WATER = "#9ccbe0", FLOW_TONE = "#1f6080", UNKNOWN = "#b5a48f", BUTTON = "#f7f0e2";
const THING = { key: "#937000", exit_key: "#b04a66", treasure: "#b05c18", exit: "#3f7f33", boat: "#8f3a2a", sail: "#86703f", lamp: "#5d3a78", beam: "#96740a" };
const FLOOR = "#f3e6cd", DARK = "#3f352d", FELT = "#d8c6a4", WALL = "#4a2f18", BORDER = "#2f1e10", UNFELT = "#917e69";
const ROWS = [["walk", 60, "#8a5a33"], ["throw", 336, "#c0463a"], ["look", 612, "#8a4fb0"]];
const TURN = [-Math.PI / 2, 0, Math.PI / 2, Math.PI]; // up, right, down, left
const CARRIED = ["key", "exit_key", "treasure", "boat", "flashlight"];
const LETTER = { k: "key", t: "treasure", x: "exit", e: "exit_key", b: "boat", g: "grenade", f: "flashlight" };
const FLOW = { "^": 0, ">": 1, v: 2, "<": 3 };

/** Marks and what they stand on: [what, mark, ground]; tests hold them at 3:1. */
export const contrasts = [
  ...Object.entries(THING).map(([name, tone]) => [name, tone, FLOOR]), ...ROWS.map(([name, , tone]) => [name, tone, BUTTON]),
  ["flow", FLOW_TONE, WATER], ["wall", WALL, FLOOR], ["unfelt", UNFELT, DARK], ["unfelt", UNFELT, FLOOR], ["unknown", UNKNOWN, DARK],
];

export function draw(ctx, scene, motion, t) {
  const { x, y, tile, rows, columns } = scene.frame;
  paint.tray(ctx, x - 14, y - 14, columns * tile + 28, rows * tile + 28, { radius: 18, fill: "#8a6a4c", rim: "#6b4424" });
  scene.cells.forEach((line, row) => [...line].forEach((mark, column) => drawCell(ctx, mark, x + column * tile, y + row * tile, tile)));
  drawEdges(ctx, scene);
  drawYou(ctx, scene, motion, t);
  drawCarried(ctx, scene);
  ROWS.forEach(([kind, left, tone]) => drawArrows(ctx, kind, left, tone, usable(scene, kind)));
}

const usable = (scene, kind) => kind === "walk" || (kind === "throw" ? scene.grenades > 0 : scene.carried.includes("flashlight"));

function drawCell(ctx, mark, left, top, tile) {
  ctx.fillStyle = mark === "?" ? DARK : mark in FLOW || mark === "m" ? WATER : FLOOR;
  ctx.fillRect(left, top, tile, tile);
  const x = left + tile / 2, y = top + tile / 2, r = tile * 0.3;
  if (mark === "?") paint.text(ctx, "?", x, y, { size: tile * 0.32, weight: 700, align: "center", fill: UNKNOWN });
  else if (mark in FLOW) arrow(ctx, x, y, r * 0.8, TURN[FLOW[mark]], FLOW_TONE);
  else if (mark === "m") ring(ctx, x, y, r * 0.7, FLOW_TONE);
  else if (mark === "o") hollow(ctx, x, y, r);
  else if (mark in LETTER) thing(ctx, LETTER[mark], x, y, r);
}

// Borders between cells: a wall, an opening, or not yet felt. A broken wall is an opening.
function drawEdges(ctx, scene) {
  const { x, y, tile, rows, columns } = scene.frame;
  const known = new Map(scene.edges.map(([row, column, side, kind]) => [`${row},${column},${side}`, kind]));
  const width = Math.max(3, tile * 0.08);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (column + 1 < columns) edge(ctx, known.get(`${row},${column},right`), x + (column + 1) * tile, y + row * tile, 0, tile, width);
      if (row + 1 < rows) edge(ctx, known.get(`${row},${column},down`), x + column * tile, y + (row + 1) * tile, tile, 0, width);
    }
  }
  ctx.strokeStyle = BORDER;
  ctx.lineWidth = width * 1.3;
  ctx.strokeRect(x, y, columns * tile, rows * tile);
}

function edge(ctx, kind, x, y, right, down, width) {
  ctx.beginPath();
  ctx.setLineDash(kind ? [] : [4, 6]);
  ctx.moveTo(x, y);
  ctx.lineTo(x + right, y + down);
  ctx.strokeStyle = kind === "wall" ? WALL : kind === "open" ? FELT : UNFELT;
  ctx.lineWidth = kind === "wall" ? width : 2;
  ctx.stroke();
  ctx.setLineDash([]);
}

function drawYou(ctx, scene, motion, t) {
  const { x, y, tile } = scene.frame;
  const [row0, column0] = motion?.kind === "step" && t < 1 ? motion.from : scene.you;
  const way = paint.ease(Math.min(1, t ?? 1));
  const row = paint.mix(row0, scene.you[0], way), column = paint.mix(column0, scene.you[1], way);
  paint.ball(ctx, x + (column + 0.5) * tile, y + (row + 0.5) * tile, tile * 0.2, "blue", { mark: false });
}

function drawCarried(ctx, scene) {
  paint.panel(ctx, 668, 112, 196, 584, { radius: 14, fill: "#f3e6cd", edge: "#a98460" });
  paint.text(ctx, `${scene.steps} / ${scene.max_steps}`, 766, 146, { size: 28, weight: 700, align: "center" });
  const share = Math.max(0, 1 - scene.steps / scene.max_steps);
  ctx.fillStyle = "#fffaf0";
  ctx.fillRect(688, 172, 156, 12);
  ctx.fillStyle = share > 0.25 ? "#3f7f33" : "#c0463a";
  ctx.fillRect(688, 172, 156 * share, 12);
  CARRIED.forEach((name, place) => slot(ctx, name, 232 + 74 * place, scene.carried.includes(name)));
  slot(ctx, "grenade", 232 + 74 * 5, scene.grenades > 0);
  if (scene.grenades > 1) paint.text(ctx, `x ${scene.grenades}`, 812, 232 + 74 * 5, { size: 20, weight: 700, align: "center" });
  if (scene.needs_exit_key) ring(ctx, 766, 232 + 74, 34, THING.exit_key);
  if (scene.over) paint.text(ctx, "0", 766, 680, { size: 30, weight: 700, align: "center", fill: "#c0463a" });
  if (scene.out) thing(ctx, "exit", 766, 676, 18);
}

function slot(ctx, name, y, is_there) {
  ctx.save();
  ctx.globalAlpha = is_there ? 1 : 0.22;
  thing(ctx, name, 766, y, 22);
  ctx.restore();
}

function drawArrows(ctx, kind, left, tone, on) {
  ctx.save();
  ctx.globalAlpha = on ? 1 : 0.35;
  if (kind === "throw") thing(ctx, "grenade", left + 119, 752, 16);
  if (kind === "look") thing(ctx, "flashlight", left + 119, 752, 16);
  TURN.forEach((turn, place) => {
    paint.panel(ctx, left + 62 * place, 784, 52, 52, { radius: 10, fill: BUTTON, edge: tone, lift: 3 });
    arrow(ctx, left + 62 * place + 26, 810, 15, turn, tone);
  });
  ctx.restore();
}

function arrow(ctx, x, y, r, turn, tone) {
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(turn);
  shape(ctx, tone, [[r, 0], [-r * 0.5, -r * 0.8], [-r * 0.5, r * 0.8]]);
  ctx.restore();
}

function shape(ctx, tone, points) {
  ctx.beginPath();
  points.forEach(([x, y], place) => (place ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
  ctx.closePath();
  ctx.fillStyle = tone;
  ctx.fill();
}

function ring(ctx, x, y, r, tone) {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, Math.PI * 2);
  ctx.strokeStyle = tone;
  ctx.lineWidth = Math.max(2, r * 0.2);
  ctx.stroke();
}

function hollow(ctx, x, y, r) {
  ctx.beginPath();
  ctx.ellipse(x, y, r, r * 0.7, 0, 0, Math.PI * 2);
  ctx.fillStyle = "#2b2033";
  ctx.fill();
}

// Things differ in shape, not in colour alone.
function thing(ctx, name, x, y, r) {
  if (name === "key" || name === "exit_key") {
    const tone = THING[name];
    ring(ctx, x - r * 0.45, y, r * 0.42, tone);
    ctx.fillStyle = tone;
    ctx.fillRect(x - r * 0.05, y - r * 0.1, r, r * 0.22);
    ctx.fillRect(x + r * 0.6, y, r * 0.18, r * 0.45);
    if (name === "exit_key") ctx.fillRect(x + r * 0.25, y, r * 0.18, r * 0.45);
  } else if (name === "treasure") {
    paint.roundRect(ctx, x - r, y - r * 0.6, 2 * r, r * 1.3, r * 0.25);
    ctx.fillStyle = THING.treasure;
    ctx.fill();
    shape(ctx, "#5b2f0a", [[x - r, y - r * 0.1], [x + r, y - r * 0.1], [x + r, y + r * 0.08], [x - r, y + r * 0.08]]);
  } else if (name === "exit") {
    shape(ctx, THING.exit, [[x - r * 0.7, y + r], [x - r * 0.7, y - r], [x + r * 0.7, y - r], [x + r * 0.7, y + r]]);
    ring(ctx, x + r * 0.35, y, r * 0.12, "#f7f0e2");
  } else if (name === "boat") {
    shape(ctx, THING.boat, [[x - r, y + r * 0.2], [x + r, y + r * 0.2], [x + r * 0.6, y + r * 0.8], [x - r * 0.6, y + r * 0.8]]);
    shape(ctx, THING.sail, [[x, y - r], [x + r * 0.7, y + r * 0.1], [x, y + r * 0.1]]);
  } else if (name === "grenade") {
    paint.ball(ctx, x, y + r * 0.15, r * 0.7, "red", { mark: false });
    ctx.fillStyle = "#333";
    ctx.fillRect(x - r * 0.2, y - r, r * 0.4, r * 0.5);
  } else if (name === "flashlight") {
    ctx.fillStyle = THING.lamp;
    ctx.fillRect(x - r, y - r * 0.25, r * 1.1, r * 0.5);
    shape(ctx, THING.beam, [[x + r * 0.1, y - r * 0.25], [x + r, y - r * 0.7], [x + r, y + r * 0.7], [x + r * 0.1, y + r * 0.25]]);
  }
}
