// Clue House: one room seen from its front, with doors in three walls and a mat at the fourth, and what hangs and lies there.
import * as paint from "/suite/paint.js";

const OUT = { x0: 48, y0: 104, x1: 872, y1: 780 };   // the picture's edge: walls, ceiling and floor begin here
const BACK = { x0: 180, y0: 150, x1: 740, y1: 520 }; // the back wall
const CARD = { x: 196, y: 176, width: 184, height: 214 };
const PANEL = { x: 546, y: 170, width: 178, height: 252 };
const POCKET = { x: 48, y: 792, width: 824, height: 80 };
const SHAPE_OF = { disc: "red", square: "blue", triangle: "yellow", diamond: "green", star: "purple", heart: "pink" };
const TITLE_PX = 15;
const MEDAL = "#e9c977", EMBLEM_INK = "#5a3d0c", CARD_INK = "#3a2a1d", PAPER = "#fff6df", BOX = "#6d757c", TABLE = "#efd6ae";

/** Marks and what they stand on: [what, mark, ground]; tests hold them at 3:1. */
export const contrasts = [
  ["emblem", EMBLEM_INK, MEDAL], ["shape", CARD_INK, PAPER], ["prompt", PAPER, BOX],
  ...Object.entries(paint.PALETTE).map(([name, { dark }]) => [`rim of a ${name} key`, dark, TABLE]),
];

export function draw(ctx, scene, motion, t) {
  const running = motion && t < 1 ? motion : null;
  drawShell(ctx, scene.tint);
  drawPlate(ctx, scene.plate);
  for (const way of scene.exits) drawExit(ctx, way, running, t);
  if (scene.card) drawCard(ctx, scene.card);
  if (scene.panel) drawPanel(ctx, scene.panel, running, t);
  if (scene.lying || scene.found || running?.kind === "take") drawTable(ctx, scene);
  if (scene.lying) drawThing(ctx, scene.lying, 290, 596, 1);
  drawPocket(ctx, scene, running, t);
  if (running?.kind === "take") drawThing(ctx, running.what, paint.mix(290, 460, paint.ease(t)), paint.mix(596, 832, paint.ease(t)), 1.4 - 0.4 * t);
  if (running?.kind === "go") drawVeil(ctx, 1 - paint.ease(t));
}

function path(ctx, ...points) {
  ctx.beginPath();
  points.forEach(([x, y], index) => (index ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
  ctx.closePath();
}

function fill(ctx, tone, ...points) {
  path(ctx, ...points);
  ctx.fillStyle = tone;
  ctx.fill();
}

function stroke(ctx, tone, width) {
  ctx.strokeStyle = tone;
  ctx.lineWidth = width;
  ctx.stroke();
}

// --- the room --------------------------------------------------------------------------------------------------------

function drawShell(ctx, tint) {
  const tone = paint.colour(tint);
  ctx.save();
  paint.roundRect(ctx, OUT.x0, OUT.y0, OUT.x1 - OUT.x0, OUT.y1 - OUT.y0, 20);
  ctx.clip();
  fill(ctx, "#f3e6cd", [OUT.x0, OUT.y0], [OUT.x1, OUT.y0], [BACK.x1, BACK.y0], [BACK.x0, BACK.y0]);
  sideWall(ctx, tone, OUT.x0, BACK.x0);
  sideWall(ctx, tone, OUT.x1, BACK.x1);
  wallpaper(ctx, tone);
  floor(ctx);
  skirting(ctx);
  ctx.restore();
  paint.roundRect(ctx, OUT.x0, OUT.y0, OUT.x1 - OUT.x0, OUT.y1 - OUT.y0, 20);
  stroke(ctx, "#6b4424", 4);
}

function sideWall(ctx, tone, xOut, xIn) {
  fill(ctx, tone.light, [xOut, OUT.y0], [xIn, BACK.y0], [xIn, BACK.y1], [xOut, OUT.y1]);
  fill(ctx, "rgba(70, 45, 25, 0.30)", [xOut, OUT.y0], [xIn, BACK.y0], [xIn, BACK.y1], [xOut, OUT.y1]);
}

// A quiet paper of stripes and small diamonds.
function wallpaper(ctx, tone) {
  ctx.fillStyle = tone.light;
  ctx.fillRect(BACK.x0, BACK.y0, BACK.x1 - BACK.x0, BACK.y1 - BACK.y0);
  ctx.fillStyle = "rgba(255, 250, 238, 0.42)";
  ctx.fillRect(BACK.x0, BACK.y0, BACK.x1 - BACK.x0, BACK.y1 - BACK.y0);
  ctx.fillStyle = tone.light;
  for (let x = BACK.x0; x < BACK.x1; x += 40) ctx.fillRect(x, BACK.y0, 20, BACK.y1 - BACK.y0);
  ctx.globalAlpha = 0.5;
  for (let x = BACK.x0 + 30; x < BACK.x1; x += 40) {
    for (let y = BACK.y0 + 24; y < BACK.y1 - 90; y += 44) fill(ctx, tone.fill, [x, y - 6], [x + 4, y], [x, y + 6], [x - 4, y]);
  }
  ctx.globalAlpha = 1;
  ctx.fillStyle = "#a9764a";
  ctx.fillRect(BACK.x0, BACK.y1 - 78, BACK.x1 - BACK.x0, 78);
  ctx.fillStyle = "#bd8a5d";
  for (let x = BACK.x0 + 8; x < BACK.x1 - 20; x += 56) ctx.fillRect(x, BACK.y1 - 66, 44, 52);
}

function floor(ctx) {
  fill(ctx, "#c79a63", [BACK.x0, BACK.y1], [BACK.x1, BACK.y1], [OUT.x1, OUT.y1], [OUT.x0, OUT.y1]);
  ctx.lineWidth = 2;
  ctx.strokeStyle = "rgba(95, 58, 24, 0.35)";
  for (let k = 0; k <= 12; k++) {
    const share = k / 12;
    ctx.beginPath();
    ctx.moveTo(paint.mix(BACK.x0, BACK.x1, share), BACK.y1);
    ctx.lineTo(paint.mix(OUT.x0, OUT.x1, share), OUT.y1);
    ctx.stroke();
  }
  ctx.save();
  ctx.globalAlpha = 0.75;
  ctx.beginPath();
  ctx.ellipse(460, 628, 238, 62, 0, 0, Math.PI * 2);
  ctx.fillStyle = "#a2503f";
  ctx.fill();
  stroke(ctx, "#e7c48b", 6);
  ctx.restore();
}

function skirting(ctx) {
  ctx.lineWidth = 5;
  ctx.strokeStyle = "#7c4f2a";
  for (const [x0, y0, x1, y1] of [
    [BACK.x0, BACK.y1, BACK.x1, BACK.y1], [BACK.x0, BACK.y1, OUT.x0, OUT.y1], [BACK.x1, BACK.y1, OUT.x1, OUT.y1],
    [BACK.x0, BACK.y0, BACK.x1, BACK.y0], [BACK.x0, BACK.y0, OUT.x0, OUT.y0], [BACK.x1, BACK.y0, OUT.x1, OUT.y0],
    [BACK.x0, BACK.y0, BACK.x0, BACK.y1], [BACK.x1, BACK.y0, BACK.x1, BACK.y1],
  ]) {
    ctx.beginPath();
    ctx.moveTo(x0, y0);
    ctx.lineTo(x1, y1);
    ctx.stroke();
  }
}

function drawPlate(ctx, name) {
  paint.panel(ctx, 424, 196, 72, 40, { radius: 8, fill: "#e3c069", edge: "#94701f", lift: 3 });
  paint.text(ctx, name, 460, 217, { size: 24, weight: 700, align: "center", fill: "#4a3600" });
}

// --- doors -----------------------------------------------------------------------------------------------------------

function drawExit(ctx, way, motion, t) {
  const rattle = motion?.kind === "rattle" && motion.side === way.side ? 5 * paint.shake(t) : 0;
  ctx.save();
  ctx.translate(rattle, 0);
  ({ up: backDoor, left: sideDoor, right: sideDoor, down: mat })[way.side](ctx, way);
  ctx.restore();
}

const leafTone = (way) => (way.kind === "key" ? paint.colour(way.colour).fill : way.kind === "shut" ? "#4d3a2c" : "#9a6b3f");

function backDoor(ctx, way) {
  frame(ctx, [383, 520], [383, 270], [537, 270], [537, 520]);
  opening(ctx, way, [395, 520], [395, 282], [525, 282], [525, 520]);
  if (!way.passable) {
    boards(ctx, [[412, 300, 44, 88], [464, 300, 44, 88], [412, 404, 44, 98], [464, 404, 44, 98]]);
    sign(ctx, way, 460, 396);
  } else sign(ctx, way, 460, 262);
}

function sideDoor(ctx, way) {
  const flip = way.side === "right" ? (x) => 920 - x : (x) => x;
  const at = (points) => points.map(([x, y]) => [flip(x), y]);
  frame(ctx, ...at([[62, 760], [62, 262], [164, 292], [164, 546]]));
  opening(ctx, way, ...at([[74, 744], [74, 282], [154, 304], [154, 560]]));
  if (!way.passable) {
    sign(ctx, way, flip(112), 452);
  } else sign(ctx, way, flip(112), 262);
}

function mat(ctx, way) {
  const base = way.passable ? "#7a5c8f" : leafTone(way);
  fill(ctx, "rgba(40, 24, 10, 0.35)", [356, 704], [564, 704], [584, 774], [336, 774]);
  fill(ctx, base, [362, 702], [558, 702], [576, 768], [344, 768]);
  path(ctx, [374, 710], [546, 710], [560, 760], [360, 760]);
  stroke(ctx, "rgba(255, 240, 210, 0.7)", 3);
  if (way.passable) fill(ctx, "rgba(255, 246, 226, 0.92)", [428, 722], [492, 722], [460, 752]);
  if (way.kind !== "open") sign(ctx, way, way.passable ? 530 : 460, 735);
}

function frame(ctx, ...points) {
  fill(ctx, "#6b4424", ...points);
  path(ctx, ...points);
  stroke(ctx, "#4a2f18", 3);
}

// Behind a door that lets one through it is dark, with a glimmer on the ground; any other shows its leaf.
function opening(ctx, way, ...points) {
  const [[x0, y0], [, top]] = points;
  if (!way.passable) return fill(ctx, leafTone(way), ...points);
  fill(ctx, paint.shade(ctx, top, y0, "#1f1712", "#3a2a1d", "#7b5a38"), ...points);
  path(ctx, ...points);
  stroke(ctx, "rgba(255, 226, 170, 0.35)", 3);
}

function boards(ctx, places) {
  for (const [x, y, width, height] of places) {
    paint.roundRect(ctx, x, y, width, height, 5);
    ctx.fillStyle = "rgba(255, 255, 255, 0.14)";
    ctx.fill();
    stroke(ctx, "rgba(40, 22, 8, 0.35)", 2);
  }
}

// What a door says of itself: a keyhole in its colour, its emblem, or a bolt across it.
function sign(ctx, way, x, y) {
  if (way.kind === "key") return keyhole(ctx, x, y, paint.colour(way.colour));
  if (way.kind === "lock") return medal(ctx, way.emblem, x, y, 25);
  if (way.kind === "shut") {
    ctx.save();
    ctx.translate(x, y);
    ctx.rotate(-0.18);
    for (const dy of [-34, 26]) paint.panel(ctx, -52, dy, 104, 20, { radius: 4, fill: "#8f6242", edge: "#593820", lift: 2 });
    ctx.restore();
  }
}

function keyhole(ctx, x, y, tone) {
  disc(ctx, x, y, 19, "#f4dc9a");
  disc(ctx, x, y, 15, tone.fill);
  disc(ctx, x, y - 4, 5, "#241811");
  fill(ctx, "#241811", [x - 3, y - 2], [x + 3, y - 2], [x + 5, y + 10], [x - 5, y + 10]);
}

function disc(ctx, x, y, radius, tone) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, Math.PI * 2);
  ctx.fillStyle = tone;
  ctx.fill();
}

// --- cards and panels ------------------------------------------------------------------------------------------------

function drawCard(ctx, card) {
  const { x, y, width, height } = CARD;
  paint.panel(ctx, x, y, width, height, { radius: 6, fill: "#8a5a33", edge: "#57351a", lift: 5 });
  paint.panel(ctx, x + 10, y + 10, width - 20, height - 20, { radius: 3, fill: PAPER, edge: "#d9b98c", lift: 0 });
  medal(ctx, card.emblem, x + width / 2, y + 40, 22);
  ({ code: codeFact, legend: legendFact, order: orderFact })[card.kind](ctx, card.fact, x + width / 2, y + 128);
}

function codeFact(ctx, fact, x, y) {
  const gap = Math.min(38, 150 / fact.length);
  fact.forEach((shape, k) => {
    const at = x + (k - (fact.length - 1) / 2) * gap;
    token(ctx, at, y, gap / 2 - 3, shape);
    paint.text(ctx, String(k + 1), at, y + 34, { size: TITLE_PX, weight: 700, align: "center", fill: paint.TONE.inkSoft });
  });
}

function legendFact(ctx, fact, x, y) {
  fact.forEach(([colour, shape], k) => {
    const left = x - 66 + 76 * (k % 2), top = y - 42 + 40 * Math.floor(k / 2);
    swatch(ctx, left, top, colour, 13);
    paint.text(ctx, "=", left + 24, top, { size: 20, weight: 700, align: "center" });
    token(ctx, left + 48, top, 14, shape);
  });
}

function orderFact(ctx, fact, x, y) {
  fact.forEach((colour, k) => {
    const left = x - 50 + 50 * (k % 3), top = y - 20 + 52 * Math.floor(k / 3);
    paint.ball(ctx, left, top, 15, colour);
    if (k < fact.length - 1) paint.text(ctx, k % 3 === 2 ? "…" : "<", left + 25, top, { size: 18, weight: 700, align: "center" });
  });
}

function token(ctx, x, y, radius, shape) {
  paint.drawMark(ctx, SHAPE_OF[shape], x, y, radius * 0.9, CARD_INK);
}

function swatch(ctx, x, y, colour, radius, edge = paint.colour(colour).dark) {
  paint.roundRect(ctx, x - radius, y - radius, 2 * radius, 2 * radius, 5);
  ctx.fillStyle = paint.colour(colour).fill;
  ctx.fill();
  stroke(ctx, edge, 2);
}

function drawPanel(ctx, panel, motion, t) {
  const { x, y, width, height } = PANEL;
  paint.panel(ctx, x, y, width, height, { radius: 14, fill: BOX, edge: "#3f464c", lift: 5 });
  medal(ctx, panel.emblem, x + 34, y + 34, 20);
  lamp(ctx, x + width - 32, y + 34, panel.lamp);
  panel.prompt.forEach((colour, k) => swatch(ctx, x + width / 2 + (k - (panel.prompt.length - 1) / 2) * 34, y + 76, colour, 12, PAPER));
  slots(ctx, panel, x + width / 2, y + 108);
  panel.buttons.forEach((symbol, k) => {
    const sunk = motion?.kind === "press" && motion.symbol === symbol ? Math.sin(Math.PI * t) * 3 : 0;
    button(ctx, panel, symbol, x + 15 + 51 * (k % 3), y + 130 + 54 * Math.floor(k / 3) + sunk);
  });
}

function lamp(ctx, x, y, state) {
  const tone = { off: "#3b2f2a", wrong: "#e2483a", open: "#54c25a" }[state];
  disc(ctx, x, y, 15, "#2c3136");
  disc(ctx, x, y, 11, tone);
  if (state !== "off") disc(ctx, x - 3, y - 4, 4, "rgba(255, 255, 255, 0.7)");
}

function slots(ctx, panel, x, y) {
  const done = panel.lamp === "open" ? panel.length : panel.entered.length;
  for (let k = 0; k < panel.length; k++) {
    const at = x + (k - (panel.length - 1) / 2) * 24;
    disc(ctx, at, y, 9, "#32383d");
    if (k < done) disc(ctx, at, y, 6, panel.lamp === "open" ? "#8fe08f" : "#f4dc9a");
  }
}

function button(ctx, panel, symbol, x, y) {
  paint.panel(ctx, x, y, 46, 46, { radius: 9, fill: "#f1e3c4", edge: "#a98d57", lift: 3 });
  if (panel.kind === "order") paint.ball(ctx, x + 23, y + 23, 15, symbol);
  else token(ctx, x + 23, y + 23, 16, symbol);
}

// --- emblems ---------------------------------------------------------------------------------------------------------

function medal(ctx, emblem, x, y, radius) {
  disc(ctx, x, y, radius, "#94701f");
  disc(ctx, x, y, radius - 2.5, MEDAL);
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(radius * 0.62, radius * 0.62);
  ctx.fillStyle = ctx.strokeStyle = EMBLEM_INK;
  ctx.lineWidth = 0.22;
  ctx.lineCap = ctx.lineJoin = "round";
  EMBLEM[emblem](ctx);
  ctx.restore();
}

const EMBLEM = {
  moon: (c) => { c.beginPath(); c.arc(0, 0, 0.9, 0.9, 5.4); c.arc(0.42, -0.1, 0.72, 4.9, 1.4, true); c.closePath(); c.fill(); },
  sun: (c) => {
    c.beginPath(); c.arc(0, 0, 0.45, 0, Math.PI * 2); c.fill();
    for (let k = 0; k < 8; k++) {
      const a = (k * Math.PI) / 4;
      c.beginPath(); c.moveTo(0.65 * Math.cos(a), 0.65 * Math.sin(a)); c.lineTo(Math.cos(a), Math.sin(a)); c.stroke();
    }
  },
  leaf: (c) => {
    c.beginPath(); c.moveTo(-0.8, 0.8); c.quadraticCurveTo(-0.9, -0.7, 0.9, -0.9); c.quadraticCurveTo(0.8, 0.8, -0.8, 0.8); c.fill();
    c.strokeStyle = MEDAL; c.lineWidth = 0.14; c.beginPath(); c.moveTo(-0.7, 0.7); c.lineTo(0.45, -0.45); c.stroke();
  },
  crown: (c) => { path(c, [-0.9, 0.65], [-0.9, -0.5], [-0.42, 0.05], [0, -0.8], [0.42, 0.05], [0.9, -0.5], [0.9, 0.65]); c.fill(); },
  wave: (c) => {
    for (const y of [-0.4, 0.35]) { c.beginPath(); c.moveTo(-0.9, y); c.bezierCurveTo(-0.4, y - 0.7, 0.3, y + 0.7, 0.9, y); c.stroke(); }
  },
  bolt: (c) => { path(c, [0.25, -1], [-0.6, 0.2], [-0.05, 0.2], [-0.25, 1], [0.6, -0.25], [0.05, -0.25]); c.fill(); },
};

// --- things ----------------------------------------------------------------------------------------------------------

function drawTable(ctx) {
  for (const x of [246, 326]) paint.panel(ctx, x, 624, 10, 56, { radius: 3, fill: "#7c4f2a", edge: "#57351a", lift: 0 });
  ctx.beginPath();
  ctx.ellipse(290, 626, 62, 20, 0, 0, Math.PI * 2);
  ctx.fillStyle = "#8a5a33";
  ctx.fill();
  ctx.beginPath();
  ctx.ellipse(290, 620, 62, 20, 0, 0, Math.PI * 2);
  ctx.fillStyle = TABLE;
  ctx.fill();
  stroke(ctx, "#7c4f2a", 2);
}

function drawThing(ctx, what, x, y, size) {
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(size, size);
  if (what === "treasure") chest(ctx);
  else key(ctx, paint.colour(what));
  ctx.restore();
}

function key(ctx, tone) {
  ctx.save();
  ctx.rotate(-0.35);
  ctx.lineWidth = 8;
  ctx.strokeStyle = tone.dark;
  outline(ctx);
  ctx.lineWidth = 5;
  ctx.strokeStyle = tone.fill;
  outline(ctx);
  ctx.restore();
}

function outline(ctx) {
  ctx.beginPath();
  ctx.arc(-18, 0, 11, 0, Math.PI * 2);
  ctx.moveTo(-7, 0);
  ctx.lineTo(28, 0);
  for (const x of [16, 26]) { ctx.moveTo(x, 0); ctx.lineTo(x, 11); }
  ctx.stroke();
}

function chest(ctx) {
  paint.panel(ctx, -38, -18, 76, 44, { radius: 6, fill: "#8a5a33", edge: "#57351a", lift: 4 });
  paint.panel(ctx, -40, -36, 80, 24, { radius: 12, fill: "#a9764a", edge: "#57351a", lift: 0 });
  for (const x of [-26, 18]) { ctx.fillStyle = "#e3c069"; ctx.fillRect(x, -35, 8, 60); }
  paint.panel(ctx, -9, -16, 18, 18, { radius: 4, fill: "#f4dc9a", edge: "#94701f", lift: 1 });
}

function drawPocket(ctx, scene, motion, t) {
  paint.panel(ctx, POCKET.x, POCKET.y, POCKET.width, POCKET.height, { radius: 18, fill: "#e9d5b5", edge: "#b98d54" });
  const gap = Math.min(66, (POCKET.width - 80) / Math.max(1, scene.pocket.length));
  scene.pocket.forEach((colour, k) => {
    const last = motion?.kind === "take" && motion.what === colour;
    if (!last) drawThing(ctx, colour, POCKET.x + 56 + gap * k, POCKET.y + 42, 0.95);
  });
  if (scene.found) drawThing(ctx, "treasure", POCKET.x + POCKET.width - 64, POCKET.y + 46, 0.9);
}

function drawVeil(ctx, share) {
  ctx.save();
  ctx.globalAlpha = share;
  paint.roundRect(ctx, OUT.x0, OUT.y0, OUT.x1 - OUT.x0, OUT.y1 - OUT.y0, 20);
  ctx.fillStyle = "#1f1712";
  ctx.fill();
  ctx.restore();
}
