// Drawing helpers that every game may import:  import * as paint from "/suite/paint.js";
// All of them are functions of their arguments: no time, no random numbers, no network. Coordinates are viewport pixels.

export const FONT = '"Suite Latin", "Suite Han", sans-serif';

// Names are what the level files use. Hue alone never tells two colours apart: each has its own lightness neighbours
// and its own `mark`, a small sign that games print on dots and nuts.
export const PALETTE = {
  red:    { fill: "#d8433c", light: "#f07d6f", dark: "#96231f", ink: "#ffffff", mark: "disc" },
  blue:   { fill: "#3272d9", light: "#77a8f5", dark: "#1b468f", ink: "#ffffff", mark: "square" },
  yellow: { fill: "#f4c430", light: "#ffe48a", dark: "#886505", ink: "#4a3600", mark: "triangle" },
  green:  { fill: "#3a9d4b", light: "#7dcc86", dark: "#20662d", ink: "#ffffff", mark: "diamond" },
  orange: { fill: "#ef8a2c", light: "#ffbb77", dark: "#a85710", ink: "#402000", mark: "cross" },
  purple: { fill: "#8a4bc0", light: "#bd8be6", dark: "#562880", ink: "#ffffff", mark: "star" },
  cyan:   { fill: "#3cc3e0", light: "#9ae6f5", dark: "#166d82", ink: "#063642", mark: "ring" },
  pink:   { fill: "#f08bb8", light: "#ffc4dc", dark: "#ad4b79", ink: "#4d1230", mark: "heart" },
  lime:   { fill: "#a8d23a", light: "#d7f08a", dark: "#587410", ink: "#2c3a04", mark: "bar" },
  brown:  { fill: "#8a5a33", light: "#bd8a5d", dark: "#57351a", ink: "#ffffff", mark: "plus" },
  teal:   { fill: "#1d8a85", light: "#63bfba", dark: "#0d5652", ink: "#ffffff", mark: "chevron" },
  navy:   { fill: "#26356f", light: "#6474b5", dark: "#131c42", ink: "#ffffff", mark: "bars" },
  maroon: { fill: "#7d1f3c", light: "#b5597a", dark: "#4b0d20", ink: "#ffffff", mark: "twodots" },
  coral:  { fill: "#ff7f66", light: "#ffb8a8", dark: "#b84a35", ink: "#4a1206", mark: "hourglass" },
  mint:   { fill: "#a5e8c8", light: "#d9f9ea", dark: "#367558", ink: "#0d4029", mark: "wave" },
  white:  { fill: "#fbfaf6", light: "#ffffff", dark: "#767061", ink: "#45413a", mark: "hexagon" },
  grey:   { fill: "#8d9299", light: "#c3c7cc", dark: "#565b61", ink: "#ffffff", mark: "slash" },
  black:  { fill: "#35343a", light: "#6d6b75", dark: "#151418", ink: "#ffffff", mark: "frame" },
};

// The suite's own tones.
export const TONE = {
  page: "#f6ead6", pageDark: "#e9d5b5", ink: "#4a3524", inkSoft: "#6e543c", panel: "#fffaf0", panelEdge: "#e2cba6",
  accentDark: "#8f4c0c", good: "#4c9a4a", bad: "#b03020",
};

/** A palette colour by name, or a look `#rrggbb:mark` of any other (games/colours.py); anything else is an error. */
export function colour(name) {
  if (Object.hasOwn(PALETTE, name)) return PALETTE[name];
  const look = /^(#[0-9a-f]{6}):([a-z-]+)$/.exec(name);
  if (!look) throw new Error(`the palette has no colour ${name}`);
  const [, fill, mark] = look;
  const isLight = luminance(fill) > 0.2;
  return { fill, light: towards(fill, 255, 0.45), dark: towards(fill, 0, 0.5), ink: isLight ? towards(fill, 0, 0.85) : "#ffffff", mark };
}

const channels = (fill) => [1, 3, 5].map((place) => parseInt(fill.slice(place, place + 2), 16));
/** Relative luminance, as contrast is reckoned from. */
const luminance = (fill) => channels(fill).map((part) => part / 255)
  .reduce((sum, part, k) => sum + [0.2126, 0.7152, 0.0722][k] * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4), 0);
/** A fill mixed with white (255) or black (0). */
const towards = (fill, end, share) =>
  "#" + channels(fill).map((part) => Math.round(part + (end - part) * share).toString(16).padStart(2, "0")).join("");

/** Slow start, slow end; t in [0, 1]. */
export const ease = (t) => (t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2);
/** Accelerating, as under gravity. */
export const fall = (t) => t * t;
export const mix = (a, b, t) => a + (b - a) * t;
/** A decaying shake, zero at t = 0 and t = 1; multiply by an amplitude in pixels. */
export const shake = (t) => Math.sin(t * Math.PI * 6) * (1 - t);

export function roundRect(ctx, x, y, width, height, radius) {
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, Math.min(radius, width / 2, height / 2));
}

/** Run `paintShape` with a soft drop shadow under it. */
export function shadowed(ctx, paintShape, { dx = 0, dy = 4, blur = 10, tone = "rgba(60, 35, 10, 0.35)" } = {}) {
  ctx.save();
  ctx.shadowColor = tone;
  ctx.shadowOffsetX = dx;
  ctx.shadowOffsetY = dy;
  ctx.shadowBlur = blur;
  paintShape();
  ctx.restore();
}

/** A vertical two- or three-stop gradient between y0 and y1. */
export function shade(ctx, y0, y1, ...stops) {
  const gradient = ctx.createLinearGradient(0, y0, 0, y1);
  stops.forEach((stop, index) => gradient.addColorStop(stops.length === 1 ? 0 : index / (stops.length - 1), stop));
  return gradient;
}

/** A rounded panel with an edge and a shadow: cards, dialogs, trays. */
export function panel(ctx, x, y, width, height, { radius = 18, fill = TONE.panel, edge = TONE.panelEdge, lift = 5, blur = lift * 2.4 } = {}) {
  shadowed(ctx, () => {
    roundRect(ctx, x, y, width, height, radius);
    ctx.fillStyle = fill;
    ctx.fill();
  }, { dy: lift, blur });
  roundRect(ctx, x + 0.75, y + 0.75, width - 1.5, height - 1.5, radius);
  ctx.strokeStyle = edge;
  ctx.lineWidth = 1.5;
  ctx.stroke();
}

/** A sunken tray a game puts its cells in. */
export function tray(ctx, x, y, width, height, { radius = 16, fill = "#d9b98c", rim = "#8a5a33" } = {}) {
  panel(ctx, x, y, width, height, { radius, fill: shade(ctx, y, y + height, "#b98352", rim), edge: "#6b4424" });
  roundRect(ctx, x + 10, y + 10, width - 20, height - 20, Math.max(4, radius - 6));
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.save();
  ctx.clip();
  ctx.lineWidth = 6;
  shadowed(ctx, () => {
    roundRect(ctx, x + 7, y + 7, width - 14, height - 14, Math.max(4, radius - 4));
    ctx.strokeStyle = "rgba(80, 48, 20, 0.55)";
    ctx.stroke();
  }, { dy: 3, blur: 8 });
  ctx.restore();
}

export const WOODS = {
  pine:   { fill: "#e6b877", light: "#f3d09a", grain: "rgba(150, 95, 40, 0.35)", edge: "#513312" },
  oak:    { fill: "#cf9650", light: "#e3b475", grain: "rgba(115, 68, 24, 0.38)", edge: "#4f300f" },
  cherry: { fill: "#bd7145", light: "#d8946a", grain: "rgba(100, 45, 20, 0.38)", edge: "#47200c" },
  walnut: { fill: "#8f6242", light: "#b0825f", grain: "rgba(60, 34, 16, 0.42)", edge: "#2c190b" },
  maple:  { fill: "#f0d2a2", light: "#fae5c4", grain: "rgba(170, 120, 65, 0.30)", edge: "#4f3615" },
  teak:   { fill: "#b5813f", light: "#d3a463", grain: "rgba(95, 60, 20, 0.40)", edge: "#40290b" },
  ebony:  { fill: "#3f2f28", light: "#5b463d", grain: "rgba(20, 12, 8, 0.45)", edge: "#b59f8d" },
  birch:  { fill: "#dcc39a", light: "#eedcbc", grain: "rgba(140, 105, 60, 0.30)", edge: "#4b3818" },
};

/** A kind of wood by name, or a stain of any other fill. */
export function stain(kind) {
  if (Object.hasOwn(WOODS, kind)) return WOODS[kind];
  return { fill: kind, light: towards(kind, 255, 0.25), grain: `${towards(kind, 0, 0.6)}66`, edge: luminance(kind) > 0.12 ? towards(kind, 0, 0.7) : towards(kind, 255, 0.6) };
}

/**
 * Fill the current path with wood whose grain runs along x. Call it in the piece's own frame (after translate, rotate):
 * `box` = {x, y, width, height} is the path's bounding box there, `seed` an integer that varies the grain.
 */
export function wood(ctx, box, kind = "oak", seed = 0) {
  const tone = stain(kind);
  ctx.save();
  ctx.fillStyle = tone.fill;
  ctx.fill();
  ctx.clip();
  ctx.fillStyle = tone.light;  // two flat tones rather than a gradient: a third of the picture's size
  ctx.fillRect(box.x, box.y, box.width, box.height * 0.34);
  ctx.strokeStyle = tone.edge;
  ctx.lineWidth = 4;
  ctx.stroke();
  ctx.strokeStyle = tone.grain;
  const lines = Math.max(2, Math.round(box.height / 15));
  for (let k = 0; k < lines; k++) {
    const wobble = Math.sin((seed * 7.3 + k * 2.7) * 1.7);
    const y = box.y + ((k + 0.5) / lines) * box.height + wobble * 2.2;
    ctx.lineWidth = 1 + 0.7 * Math.abs(Math.sin(seed + k * 1.9));
    ctx.beginPath();
    ctx.moveTo(box.x, y);
    ctx.bezierCurveTo(box.x + box.width * 0.3, y + 3 * wobble, box.x + box.width * 0.6, y - 4 * wobble, box.x + box.width, y + 2 * wobble);
    ctx.stroke();
  }
  ctx.restore();
}

/** A steel screw head seen from above, its cross turned by `angle` radians. Flat tones keep the picture small. */
export function screw(ctx, x, y, radius, { angle = 0.6, lifted = false } = {}) {
  const disc = (cx, cy, r, fill) => {
    ctx.beginPath();
    ctx.arc(cx, cy, r, 0, Math.PI * 2);
    ctx.fillStyle = fill;
    ctx.fill();
  };
  shadowed(ctx, () => disc(x, y, radius, "#59636b"), lifted ? { dx: 5, dy: 12, blur: 14 } : { dx: 1, dy: 2, blur: 0 });
  disc(x, y, radius - 1.4, "#98a2aa");
  disc(x - radius * 0.06, y - radius * 0.08, radius * 0.84, "#c3cbd1");
  disc(x - radius * 0.12, y - radius * 0.16, radius * 0.62, "#dde3e7");
  ctx.beginPath();
  for (const turn of [angle, angle + Math.PI / 2]) {
    const dx = Math.cos(turn) * radius * 0.58;
    const dy = Math.sin(turn) * radius * 0.58;
    ctx.moveTo(x - dx, y - dy);
    ctx.lineTo(x + dx, y + dy);
  }
  ctx.lineCap = "round";
  ctx.lineWidth = Math.max(2, radius * 0.2);
  ctx.strokeStyle = "#434b53";
  ctx.stroke();
}

/** A dark drilled hole with a lit lower rim. */
export function hole(ctx, x, y, radius) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, Math.PI * 2);
  ctx.fillStyle = shade(ctx, y - radius, y + radius, "#1d130b", "#4d3826");
  ctx.fill();
  ctx.lineWidth = 2;
  ctx.strokeStyle = shade(ctx, y - radius, y + radius, "rgba(0, 0, 0, 0.5)", "rgba(255, 240, 215, 0.75)");
  ctx.stroke();
}

/** A glossy ball or dot in a palette colour, with its mark. */
export function ball(ctx, x, y, radius, name, { mark = true } = {}) {
  const tone = colour(name);
  shadowed(ctx, () => {
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, Math.PI * 2);
    const gradient = ctx.createRadialGradient(x - radius * 0.5, y - radius * 0.55, radius * 0.05, x, y, radius);
    gradient.addColorStop(0, tone.light);
    gradient.addColorStop(mark ? 0.16 : 0.5, tone.fill);  // the mark stands on the plain fill
    gradient.addColorStop(0.72, tone.fill);
    gradient.addColorStop(1, tone.dark);
    ctx.fillStyle = gradient;
    ctx.fill();
  }, { dy: 3, blur: 6 });
  if (mark) drawMark(ctx, name, x, y, radius * 0.42, tone.ink);
}

/** The colour's sign, inside a circle of `radius` around (x, y). */
export function drawMark(ctx, name, x, y, radius, ink = colour(name).ink) {
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(radius, radius);
  ctx.fillStyle = ctx.strokeStyle = ink;
  ctx.lineWidth = 0.36;
  ctx.lineCap = ctx.lineJoin = "round";
  ctx.beginPath();
  const [shape, around] = colour(name).mark.split("-");
  if (around) surround(ctx, AROUND[around]);
  MARKS[shape](ctx);
  ctx.restore();
}

/** Draw a thin frame, then leave the middle for the shape. */
function surround(ctx, drawFrame) {
  ctx.lineWidth = 0.24;
  drawFrame(ctx);
  ctx.scale(0.6, 0.6);
  ctx.lineWidth = 0.4;
  ctx.beginPath();
}

const polygon = (ctx, ...points) => {
  points.forEach(([x, y], index) => (index ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
  ctx.closePath();
};
const lines = (ctx, ...segments) => {
  for (const [x0, y0, x1, y1] of segments) {
    ctx.moveTo(x0, y0);
    ctx.lineTo(x1, y1);
  }
  ctx.stroke();
};
const spikes = (n, inner, turn) => Array.from({ length: 2 * n }, (_, k) => {
  const r = k % 2 ? inner : 1;
  const a = turn + (k * Math.PI) / n;
  return [r * Math.cos(a), r * Math.sin(a)];
});
const AROUND = {
  ringed: (c) => { c.arc(0, 0, 1, 0, Math.PI * 2); c.stroke(); },
  under: (c) => lines(c, [-0.8, 1, 0.8, 1]),
  over: (c) => lines(c, [-0.8, -1, 0.8, -1]),
  sides: (c) => lines(c, [-1, -0.8, -1, 0.8], [1, -0.8, 1, 0.8]),
};
const MARKS = {
  disc: (c) => { c.arc(0, 0, 0.6, 0, Math.PI * 2); c.fill(); },
  ring: (c) => { c.arc(0, 0, 0.7, 0, Math.PI * 2); c.stroke(); },
  square: (c) => { c.rect(-0.62, -0.62, 1.24, 1.24); c.fill(); },
  frame: (c) => { c.rect(-0.62, -0.62, 1.24, 1.24); c.stroke(); },
  triangle: (c) => { polygon(c, [0, -0.85], [0.85, 0.65], [-0.85, 0.65]); c.fill(); },
  diamond: (c) => { polygon(c, [0, -0.95], [0.75, 0], [0, 0.95], [-0.75, 0]); c.fill(); },
  cross: (c) => lines(c, [-0.6, -0.6, 0.6, 0.6], [-0.6, 0.6, 0.6, -0.6]),
  plus: (c) => lines(c, [-0.75, 0, 0.75, 0], [0, -0.75, 0, 0.75]),
  star: (c) => { polygon(c, ...spikes(5, 0.42, -Math.PI / 2)); c.fill(); },
  heart: (c) => {
    c.moveTo(0, 0.85);
    c.bezierCurveTo(-1.5, -0.2, -0.6, -1.2, 0, -0.4);
    c.bezierCurveTo(0.6, -1.2, 1.5, -0.2, 0, 0.85);
    c.fill();
  },
  bar: (c) => lines(c, [-0.75, 0, 0.75, 0]),
  bars: (c) => lines(c, [-0.7, -0.38, 0.7, -0.38], [-0.7, 0.38, 0.7, 0.38]),
  slash: (c) => lines(c, [-0.55, 0.65, 0.55, -0.65]),
  chevron: (c) => { c.moveTo(-0.7, 0.35); c.lineTo(0, -0.45); c.lineTo(0.7, 0.35); c.stroke(); },
  twodots: (c) => { c.arc(-0.45, 0, 0.34, 0, Math.PI * 2); c.moveTo(0.79, 0); c.arc(0.45, 0, 0.34, 0, Math.PI * 2); c.fill(); },
  hourglass: (c) => { polygon(c, [-0.7, -0.75], [0.7, -0.75], [-0.7, 0.75], [0.7, 0.75]); c.fill(); },
  wave: (c) => { c.moveTo(-0.8, 0.1); c.quadraticCurveTo(-0.4, -0.8, 0, 0); c.quadraticCurveTo(0.4, 0.8, 0.8, -0.1); c.stroke(); },
  hexagon: (c) => { polygon(c, ...spikes(3, 1, 0)); c.stroke(); },
};

/** One line of text; `weight` 400 or 700 (the shipped ones), `align` left, center or right, vertically centred on y. */
export function text(ctx, words, x, y, { size = 20, weight = 400, fill = TONE.ink, align = "left" } = {}) {
  ctx.font = `${weight} ${size}px ${FONT}`;
  ctx.textAlign = align;
  ctx.textBaseline = "middle";
  ctx.fillStyle = fill;
  ctx.fillText(words, x, y);
}
