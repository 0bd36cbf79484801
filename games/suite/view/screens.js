// Draws a whole picture: page, top bar, menus, side panel, dialog; the board itself is the game's own view.
import * as paint from "/suite/paint.js";

const { TONE } = paint;
const BOARD = { x: 40, y: 96, width: 840, height: 784 };
const SIDE = { x: 904, y: 96, width: 336, height: 784 };

/** Draw a picture; t < 1 shows the board's motion under way. */
export function drawPicture(ctx, picture, views, t) {
  if (picture.screen === "playing") playing(ctx, picture, views, t);
  else menu(ctx, picture, views);
  if (picture.dialog && t >= 1) dialog(ctx, picture, views);  // the winning motion is seen to its end
}

// All but the board, as last drawn: it changes seldom, and copying it costs a fifth of drawing it.
const surroundings = { canvas: document.createElement("canvas"), key: "" };

function copySurroundings(ctx, picture) {
  const { width, height } = ctx.canvas;
  const key = JSON.stringify([width, height, { ...picture, board: null, motion: null, seq: 0 }]);
  if (key !== surroundings.key) {
    Object.assign(surroundings.canvas, { width, height });
    const pen = surroundings.canvas.getContext("2d", { alpha: false });
    pen.setTransform(ctx.getTransform());
    page(pen);
    side(pen, picture);
    for (const control of picture.controls) if (!picture.dialog || control.style === "bar") drawControl(pen, control);
    surroundings.key = key;
  }
  ctx.save();
  ctx.resetTransform();
  ctx.drawImage(surroundings.canvas, 0, 0);
  ctx.restore();
}

function page(ctx) {
  ctx.fillStyle = paint.shade(ctx, 0, 900, "#fbf1de", TONE.page, TONE.pageDark);
  ctx.fillRect(0, 0, 1280, 900);
}

// --- menus -----------------------------------------------------------------------------------------------------------

function menu(ctx, picture, views) {
  page(ctx);
  const home = picture.screen === "home";
  if (home) {
    paint.text(ctx, picture.title, 44, 50, { size: 38, weight: 700 });
    paint.text(ctx, picture.subtitle, 46, 92, { size: 20, fill: TONE.inkSoft });
  } else {
    paint.text(ctx, picture.title, 640, 118, { size: 46, weight: 700, align: "center" });
    paint.text(ctx, picture.subtitle, 640, 176, { size: 24, fill: TONE.inkSoft, align: "center" });
  }
  for (const control of picture.controls) drawControl(ctx, control, views);
}

function drawControl(ctx, control, views) {
  const [x, y, width, height] = control.rect;
  ({ bar: button, primary: button, plain: button, card, level: tile })[control.style](ctx, control, x, y, width, height, views);
}

const BUTTONS = {
  bar: { stops: ["#fffaf0", "#f3e2c4"], edge: "#d2b083", ink: TONE.ink, size: 20 },
  primary: { stops: ["#b8661a", "#9c5110"], edge: "#743a08", ink: "#ffffff", size: 24 },
  plain: { stops: ["#fffdf8", "#f6ead6"], edge: "#dcc39a", ink: TONE.inkSoft, size: 19 },
};

function button(ctx, control, x, y, width, height) {
  const look = BUTTONS[control.style];
  paint.panel(ctx, x, y, width, height, { radius: 14, fill: paint.shade(ctx, y, y + height, ...look.stops), edge: look.edge, lift: 3 });
  const icon = ICONS[control.id];
  const words = fitted(ctx, control.label, width - (icon ? 60 : 28), look.size, 700);
  const shown = ctx.measureText(control.label).width;
  const left = x + (width - shown - (icon ? 30 : 0)) / 2;
  if (icon) {
    ctx.save();
    ctx.translate(left + 10, y + height / 2);
    ctx.strokeStyle = ctx.fillStyle = look.ink;
    ctx.lineWidth = 2.6;
    ctx.lineCap = ctx.lineJoin = "round";
    ctx.beginPath();
    icon(ctx);
    ctx.stroke();
    ctx.restore();
  }
  paint.text(ctx, control.label, left + (icon ? 30 : 0), y + height / 2 + 1, { size: words, weight: 700, fill: look.ink });
}

const ICONS = {
  home: (c) => { c.moveTo(-10, 0); c.lineTo(0, -9); c.lineTo(10, 0); c.moveTo(-7, -1); c.lineTo(-7, 9); c.lineTo(7, 9); c.lineTo(7, -1); },
  levels: (c) => { for (const [x, y] of [[-8, -8], [2, -8], [-8, 2], [2, 2]]) c.rect(x, y, 6, 6); },
  restart: (c) => { c.arc(0, 0, 8, -0.6, 4.4); c.moveTo(3, -9); c.lineTo(7.5, -4.5); c.lineTo(1.5, -2.5); },
  undo: (c) => { c.moveTo(-3, -9); c.lineTo(-9, -4); c.lineTo(-3, 1); c.moveTo(-9, -4); c.lineTo(2, -4); c.arc(2, 2, 6, -Math.PI / 2, Math.PI / 2); c.lineTo(-4, 8); },
};

function card(ctx, control, x, y, width, height, views) {
  paint.panel(ctx, x, y, width, height, { radius: 22, fill: paint.shade(ctx, y, y + height, "#fffdf8", "#fdf3e0") });
  const shelf = { x: x + 14, y: y + 14, width: width - 28, height: height - 92 };
  ctx.save();
  paint.roundRect(ctx, shelf.x, shelf.y, shelf.width, shelf.height, 14);
  ctx.fillStyle = paint.shade(ctx, shelf.y, shelf.y + shelf.height, "#f6e6c8", "#ecd5ab");
  ctx.fill();
  ctx.clip();
  thumbnail(ctx, control.preview, shelf, views);
  ctx.restore();
  const size = fitted(ctx, control.label, width - (control.count ? 110 : 44), 26, 700);
  paint.text(ctx, control.label, x + 22, y + height - 52, { size, weight: 700 });
  paint.text(ctx, control.count, x + width - 22, y + height - 52, { size: 19, weight: 700, fill: TONE.accentDark, align: "right" });
  const small = fitted(ctx, control.detail, width - 44, 17, 400);
  paint.text(ctx, control.detail, x + 22, y + height - 22, { size: small, fill: TONE.inkSoft });
  if (control.mark) tick(ctx, x + width - 38, y + 38, 17);
}

function thumbnail(ctx, preview, shelf, views) {
  const scale = Math.min((shelf.width - 12) / BOARD.width, (shelf.height - 12) / BOARD.height);
  ctx.translate(shelf.x + shelf.width / 2, shelf.y + shelf.height / 2);
  ctx.scale(scale, scale);
  ctx.translate(-BOARD.x - BOARD.width / 2, -BOARD.y - BOARD.height / 2);
  views.get(preview.game)(ctx, preview.scene, null, 1);
}

function tile(ctx, control, x, y, width, height) {
  paint.shadowed(ctx, () => {
    paint.roundRect(ctx, x, y, width, height, 20);
    ctx.fillStyle = "#d9b27a";
    ctx.fill();
  });
  paint.roundRect(ctx, x, y, width, height, 20);
  paint.wood(ctx, { x, y, width, height }, control.mark ? "maple" : "pine", Number(control.label));
  paint.text(ctx, control.label, x + width / 2, y + height / 2 + 2, { size: Math.min(54, height * 0.42), weight: 700, align: "center" });
  if (control.mark) tick(ctx, x + width - 26, y + height - 26, 15);
  if (!control.enabled) locked(ctx, x, y, width, height);
}

function locked(ctx, x, y, width, height) {
  ctx.save();
  paint.roundRect(ctx, x, y, width, height, 20);
  ctx.fillStyle = "rgba(251, 241, 222, 0.62)";
  ctx.fill();
  ctx.translate(x + width - 26, y + height - 24);
  ctx.fillStyle = ctx.strokeStyle = TONE.inkSoft;
  ctx.lineWidth = 3;
  ctx.fillRect(-9, -4, 18, 14);
  ctx.beginPath();
  ctx.arc(0, -5, 6, Math.PI, 0);
  ctx.stroke();
  ctx.restore();
}

function tick(ctx, x, y, radius) {
  paint.shadowed(ctx, () => {
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, Math.PI * 2);
    ctx.fillStyle = TONE.good;
    ctx.fill();
  }, { dy: 2, blur: 4 });
  ctx.save();  // what is drawn later must not depend on whether a level was won
  ctx.beginPath();
  ctx.moveTo(x - radius * 0.45, y + radius * 0.02);
  ctx.lineTo(x - radius * 0.1, y + radius * 0.4);
  ctx.lineTo(x + radius * 0.48, y - radius * 0.36);
  ctx.strokeStyle = "#ffffff";
  ctx.lineWidth = radius * 0.26;
  ctx.lineCap = ctx.lineJoin = "round";
  ctx.stroke();
  ctx.restore();
}

// --- a level in play -------------------------------------------------------------------------------------------------

function playing(ctx, picture, views, t) {
  copySurroundings(ctx, picture);
  ctx.save();
  ctx.beginPath();
  ctx.rect(BOARD.x, BOARD.y, BOARD.width, BOARD.height);
  ctx.clip();
  views.get(picture.game)(ctx, picture.board, t < 1 ? picture.motion : null, t);
  ctx.restore();
}

function side(ctx, picture) {
  const left = SIDE.x + 24, width = SIDE.width - 48;
  paint.panel(ctx, SIDE.x, SIDE.y, SIDE.width, SIDE.height, { radius: 22 });
  const size = fitted(ctx, picture.title, width, 32, 700);
  paint.text(ctx, picture.title, left, SIDE.y + 42, { size, weight: 700 });
  paint.text(ctx, picture.subtitle, left, SIDE.y + 80, { size: 20, fill: TONE.inkSoft });
  rule(ctx, left, SIDE.y + 106, width);
  if (picture.instructions.length > 0) {
    paint.text(ctx, picture.labels.how_to_play, left, SIDE.y + 134, { size: 20, weight: 700, fill: TONE.accentDark });
  }
  instructions(ctx, picture.instructions, left, SIDE.y + 166, width, 392);
  note(ctx, picture, left, width);
}

function instructions(ctx, sentences, left, top, width, height) {
  let size = 18, blocks;
  do {
    ctx.font = `400 ${size}px ${paint.FONT}`;
    blocks = sentences.map((sentence) => wrap(ctx, sentence, width - 20));
    if (blocks.flat().length * size * 1.36 + blocks.length * 7 <= height) break;
    size -= 1;
  } while (size > 12);
  let y = top;
  for (const lines of blocks) {
    ctx.beginPath();
    ctx.arc(left + 5, y, 3.5, 0, Math.PI * 2);
    ctx.fillStyle = TONE.accentDark;
    ctx.fill();
    for (const line of lines) {
      paint.text(ctx, line, left + 20, y, { size });
      y += size * 1.36;
    }
    y += 7;
  }
}

function note(ctx, picture, left, width) {
  const top = SIDE.y + 572, height = 116;
  paint.roundRect(ctx, left, top, width, height, 14);
  const mistake = picture.note?.tone === "mistake";
  ctx.fillStyle = mistake ? "#fbe3d9" : "#f8ecd4";
  ctx.fill();
  ctx.strokeStyle = mistake ? "#dd9480" : "#e6cfa4";
  ctx.lineWidth = 1.5;
  ctx.stroke();
  paint.text(ctx, picture.labels.message, left + 16, top + 22, { size: 16, weight: 700, fill: mistake ? TONE.bad : TONE.accentDark });
  if (!picture.note) return;
  let size = 18, lines;
  do {
    ctx.font = `400 ${size}px ${paint.FONT}`;
    lines = wrap(ctx, picture.note.text, width - 32);
  } while (lines.length * size * 1.3 > height - 44 && --size > 12);
  lines.forEach((line, index) => paint.text(ctx, line, left + 16, top + 50 + index * size * 1.3, { size }));
}

function rule(ctx, x, y, width) {
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(x + width, y);
  ctx.strokeStyle = TONE.panelEdge;
  ctx.lineWidth = 1.5;
  ctx.stroke();
}

function dialog(ctx, picture, views) {
  ctx.beginPath();  // all but the board steps back
  ctx.rect(0, 0, 1280, 900);
  ctx.rect(0, BOARD.y - 8, SIDE.x - 12, 900);
  ctx.fillStyle = "rgba(70, 45, 20, 0.25)";
  ctx.fill("evenodd");
  const [x, y, width, height] = picture.dialog.rect;
  paint.panel(ctx, x, y, width, height, { radius: 26, lift: 14 });
  tick(ctx, x + width / 2, y, 40);
  const size = fitted(ctx, picture.dialog.title, width - 60, 34, 700);
  paint.text(ctx, picture.dialog.title, x + width / 2, y + 78, { size, weight: 700, align: "center" });
  ctx.font = `400 19px ${paint.FONT}`;
  wrap(ctx, picture.dialog.text, width - 60).forEach((line, index) =>
    paint.text(ctx, line, x + width / 2, y + 116 + index * 25, { size: 19, fill: TONE.inkSoft, align: "center" }));
  for (const control of picture.controls) if (control.style !== "bar") drawControl(ctx, control, views);
}

// --- words -----------------------------------------------------------------------------------------------------------

/** The largest size up to `size` at which a line fits `width`; the context's font is left at it. */
function fitted(ctx, words, width, size, weight) {
  do ctx.font = `${weight} ${size}px ${paint.FONT}`;
  while (ctx.measureText(words).width > width && --size > 12);
  return size;
}

/** Break a sentence into lines: Latin at spaces, Chinese anywhere except before punctuation. Uses the current font. */
function wrap(ctx, sentence, width) {
  const pieces = sentence.match(/[\u3000-\u9fff\uff00-\uffef][，。！？、；：”）]*|[^\s\u3000-\u9fff\uff00-\uffef]+|\s+/g) ?? [];
  const lines = [];
  let line = "";
  for (const piece of pieces) {
    if (line && ctx.measureText((line + piece).trimEnd()).width > width) {
      lines.push(line.trimEnd());
      line = piece.trimStart();
    } else {
      line += piece;
    }
  }
  if (line.trim()) lines.push(line.trimEnd());
  return lines;
}
