// Vehicles and bushes from above, in any position; all of them face right or up.
import * as paint from "/suite/paint.js";

// Only the red one matters to a player; the others get quiet tones, told apart by lightness as well.
const TARGET = { body: "#d8433c", light: "#f49a8f", dark: "#8f1f1b", roof: "#a52a25" };
const CARS = [
  { body: "#4d7fc4", light: "#8fb4e6", dark: "#27497c" },
  { body: "#e8c15a", light: "#f7e2a0", dark: "#6b5312" },
  { body: "#6aa886", light: "#a4d3b8", dark: "#3c6b52" },
  { body: "#e9e4d8", light: "#ffffff", dark: "#a29c8c" },
  { body: "#8b76b8", light: "#bcaadf", dark: "#554380" },
  { body: "#59636e", light: "#a3afba", dark: "#2f363e" },
];
const TRUCKS = [
  { body: "#3f6d8c", light: "#7ba9c6", dark: "#213f54" },
  { body: "#c9a27a", light: "#e8cba9", dark: "#86653f" },
  { body: "#7d8f4e", light: "#b3c486", dark: "#4b582a" },
  { body: "#cfd4d8", light: "#f6f8f9", dark: "#868d93" },
];
const GLASS = "#2f4050", SHINE = "#8fb0c6";
const STAR = "#fffaf0";

/** Rims on the asphalt, the star on its roof. */
export const contrastsOn = (asphalt) => [
  ...[TARGET, ...CARS, ...TRUCKS].map((tone) => [`rim of ${tone.body}`, tone.light, asphalt]), ["star", STAR, TARGET.roof],
];

/** `one` has x, y, width, height, axis, target; `number` picks the paint. */
export function vehicle(ctx, one, number, cell, lifted) {
  const isHorizontal = one.axis === "h";
  const length = isHorizontal ? one.width : one.height;
  const isLong = length > 2.5 * cell;
  const tone = one.target ? TARGET : isLong ? TRUCKS[number % TRUCKS.length] : CARS[number % CARS.length];
  ctx.save();
  ctx.translate(one.x + one.width / 2, one.y + one.height / 2);
  if (!isHorizontal) ctx.rotate(-Math.PI / 2);
  wheels(ctx, length, cell);
  paint.shadowed(ctx, () => body(ctx, length, cell, tone), lifted ? { dx: 3, dy: 9, blur: 16 } : { dx: 1, dy: 4, blur: 8 });
  if (isLong) cargo(ctx, length, cell, tone);
  else cabin(ctx, length, cell, tone);
  lamps(ctx, length, cell);
  if (one.target) star(ctx, cell);
  ctx.restore();
}

export function bush(ctx, x, y, cell) {
  const cx = x + cell / 2, cy = y + cell / 2, r = cell * 0.26;
  paint.roundRect(ctx, x + 5, y + 5, cell - 10, cell - 10, 12);
  ctx.fillStyle = "#8a6a45";
  ctx.fill();
  paint.shadowed(ctx, () => {
    for (const [dx, dy, share] of [[-0.17, -0.12, 0.9], [0.17, -0.14, 0.85], [-0.14, 0.17, 0.85], [0.17, 0.16, 0.9], [0, 0, 1]]) {
      ctx.beginPath();
      ctx.arc(cx + dx * cell, cy + dy * cell, r * share, 0, Math.PI * 2);
      const leaf = ctx.createRadialGradient(cx + dx * cell - r * 0.3, cy + dy * cell - r * 0.4, r * 0.1, cx + dx * cell, cy + dy * cell, r);
      leaf.addColorStop(0, "#8cc46a");
      leaf.addColorStop(1, "#3f7f3d");
      ctx.fillStyle = leaf;
      ctx.fill();
    }
  }, { dy: 3, blur: 6 });
}

function wheels(ctx, length, cell) {
  ctx.fillStyle = "#1d2024";
  for (const x of [-length / 2 + cell * 0.36, length / 2 - cell * 0.36]) {
    for (const y of [-1, 1]) {
      paint.roundRect(ctx, x - cell * 0.13, y * cell * 0.4 - cell * 0.055, cell * 0.26, cell * 0.11, 4);
      ctx.fill();
    }
  }
}

function body(ctx, length, cell, tone) {
  const half = cell * 0.395, end = length / 2 - cell * 0.075;
  paint.roundRect(ctx, -end, -half, 2 * end, 2 * half, cell * 0.19);
  ctx.fillStyle = tone.body;
  ctx.fill();
  ctx.shadowColor = "transparent";
  ctx.save();
  ctx.clip();
  band(ctx, end, -half, half * 0.34, tone.light, 0.75);
  band(ctx, end, half * 0.72, half * 0.3, tone.dark, 0.55);
  ctx.restore();
  ctx.strokeStyle = tone.light;
  ctx.lineWidth = 2.5;
  ctx.stroke();
}

/** A stripe of light or shade along the body: flat tones keep the pictures small. */
function band(ctx, end, y, height, tone, strength) {
  ctx.globalAlpha = strength;
  ctx.fillStyle = tone;
  ctx.fillRect(-end, y, 2 * end, height);
  ctx.globalAlpha = 1;
}

function cabin(ctx, length, cell, tone) {
  const half = cell * 0.3;
  glass(ctx, cell * 0.24, half, cell * 0.2, 0.74);
  glass(ctx, -cell * 0.62, half, cell * 0.16, -0.8);
  paint.roundRect(ctx, -cell * 0.42, -half, cell * 0.64, 2 * half, cell * 0.1);
  ctx.fillStyle = tone.roof ?? tone.light;
  ctx.fill();
  ctx.strokeStyle = tone.dark;
  ctx.lineWidth = 1.5;
  ctx.stroke();
}

function cargo(ctx, length, cell, tone) {
  const half = cell * 0.33, back = -length / 2 + cell * 0.16, front = length / 2 - cell * 0.82;
  paint.roundRect(ctx, back, -half, front - back, 2 * half, cell * 0.06);
  ctx.fillStyle = tone.light;
  ctx.fill();
  ctx.strokeStyle = tone.dark;
  ctx.lineWidth = 1.5;
  ctx.stroke();
  ctx.beginPath();
  for (let k = 1; k < 5; k++) {
    const x = paint.mix(back, front, k / 5);
    ctx.moveTo(x, -half + 4);
    ctx.lineTo(x, half - 4);
  }
  ctx.globalAlpha = 0.35;
  ctx.stroke();
  ctx.globalAlpha = 1;
  glass(ctx, length / 2 - cell * 0.5, cell * 0.3, cell * 0.2, 0.76);
}

/** A pane from x on, `width` long, narrower towards where it slopes. */
function glass(ctx, x, half, width, slope) {
  const near = slope > 0 ? half * slope : half, far = slope > 0 ? half : half * -slope;
  ctx.beginPath();
  ctx.moveTo(x, -near);
  ctx.lineTo(x + width, -far);
  ctx.lineTo(x + width, far);
  ctx.lineTo(x, near);
  ctx.closePath();
  ctx.fillStyle = GLASS;
  ctx.fill();
  ctx.save();
  ctx.clip();
  ctx.fillStyle = SHINE;
  ctx.fillRect(x, -half, width, half * 0.45);
  ctx.restore();
}

function lamps(ctx, length, cell) {
  for (const y of [-1, 1]) {
    paint.roundRect(ctx, length / 2 - cell * 0.145, y * cell * 0.26 - cell * 0.06, cell * 0.06, cell * 0.12, 3);
    ctx.fillStyle = "#fff3c4";
    ctx.fill();
    paint.roundRect(ctx, -length / 2 + cell * 0.09, y * cell * 0.26 - cell * 0.06, cell * 0.045, cell * 0.12, 2);
    ctx.fillStyle = "#7d1512";
    ctx.fill();
  }
}

function star(ctx, cell) {
  ctx.beginPath();
  for (let k = 0; k < 10; k++) {
    const r = cell * (k % 2 ? 0.085 : 0.19), a = -Math.PI / 2 + (k * Math.PI) / 5;
    ctx[k ? "lineTo" : "moveTo"](-cell * 0.1 + r * Math.cos(a), r * Math.sin(a));
  }
  ctx.closePath();
  ctx.fillStyle = STAR;
  ctx.fill();
  ctx.strokeStyle = TARGET.dark;
  ctx.lineWidth = 1.5;
  ctx.stroke();
}
