// Nut and Bolt: threaded bolts with hexagonal nuts, seen from the side. Draws the scene it is sent; knows no rule.
import * as paint from "/suite/paint.js";

const LIFT = 26;         // how far a lifted run hovers above its place
const HEAD = { height: 26, gap: 4 };

/** Marks and what they stand on: [what, mark, ground]; tests hold them at 3:1. */
export const contrasts = Object.entries(paint.PALETTE).map(([name, { dark }]) => [`rim of ${name}`, dark, paint.TONE.page]);

export function draw(ctx, scene, motion, t) {
  const running = motion && t < 1 ? motion : null;
  shelves(ctx, scene.bolts);
  scene.bolts.forEach((bolt, number) => shaft(ctx, scene, bolt, sway(running, number, t)));
  scene.bolts.forEach((bolt, number) => stack(ctx, scene, bolt, number, running, t));
  if (running?.kind === "transfer") flight(ctx, scene, running, t);
}

function sway(motion, number, t) {
  return motion?.kind === "shake" && motion.bolt === number ? 8 * paint.shake(t) : 0;
}

/** Nuts that stay on a bolt while something moves: at their places, lifted, or on the way between. */
function stack(ctx, scene, bolt, number, motion, t) {
  const flying = motion?.kind === "transfer" && motion.bolt === number ? motion.count : 0;
  const shown = bolt.nuts.slice(0, bolt.nuts.length - flying);
  const [moving, height] = raised(bolt, number, motion, t);
  shown.forEach((name, place) => {
    const first = shown.length - moving, up = place >= first ? height : 0;
    const hovers = place === first && up > LIFT / 2;
    nut(ctx, scene.nut, bolt.x + sway(motion, number, t), level(scene, bolt, place) - up, name, hovers);
  });
}

/** How many of a bolt's top nuts are off their place, and how high. */
function raised(bolt, number, motion, t) {
  if (motion?.kind === "lift" && motion.bolt === number) return [bolt.lifted, LIFT * paint.ease(t)];
  if (motion?.kind === "drop" && motion.bolt === number) return [motion.count, LIFT * (1 - paint.ease(t))];
  if (motion?.kind === "transfer" && motion.source === number) return [motion.left, LIFT * Math.max(0, 1 - 3 * t)];
  return [bolt.lifted, LIFT];
}

/** The nuts of a transfer: up off the source, over, and down onto the destination. */
function flight(ctx, scene, motion, t) {
  const from = scene.bolts[motion.source], to = scene.bolts[motion.bolt];
  const first = to.nuts.length - motion.count;
  for (let k = 0; k < motion.count; k++) {
    const y0 = level(scene, from, from.nuts.length + k) - LIFT, y1 = level(scene, to, first + k);
    const top = Math.min(above(scene, from), above(scene, to)) - k * scene.nut.height * 0.25;
    nut(ctx, scene.nut, ...along([from.x, y0], [from.x, top], [to.x, top], [to.x, y1], t), to.nuts[first + k], k === 0);
  }
}

function along(start, up, over, end, t) {
  const [a, b, s] = t < 0.3 ? [start, up, t / 0.3] : t < 0.65 ? [up, over, (t - 0.3) / 0.35] : [over, end, (t - 0.65) / 0.35];
  const share = paint.ease(s);
  return [paint.mix(a[0], b[0], share), paint.mix(a[1], b[1], share)];
}

/** The middle of the nut at `place` (0 is the lowest). */
const level = (scene, bolt, place) => bolt.floor - (place + 0.5) * scene.nut.height;
/** The middle of a nut just clear of the bolt's tip. */
const above = (scene, bolt) => tip(scene, bolt) - scene.nut.height * 0.35;
const tip = (scene, bolt) => bolt.floor - scene.capacity * scene.nut.height - 14;

function shelves(ctx, bolts) {
  const floors = [...new Set(bolts.map((bolt) => bolt.floor))];
  for (const floor of floors) {
    const row = bolts.filter((bolt) => bolt.floor === floor).map((bolt) => bolt.slot);
    const x = row[0][0] - 4, right = row.at(-1)[0] + row.at(-1)[2] + 4;
    const box = { x, y: floor + HEAD.gap + HEAD.height - 8, width: right - x, height: 20 };
    paint.shadowed(ctx, () => {
      paint.roundRect(ctx, box.x, box.y, box.width, box.height, 8);
      ctx.fillStyle = "#bd7145";
      ctx.fill();
    }, { dy: 5, blur: 9 });
    paint.roundRect(ctx, box.x, box.y, box.width, box.height, 8);
    paint.wood(ctx, box, "oak", 3);
  }
}

function shaft(ctx, scene, bolt, dx) {
  const x = bolt.x + dx, half = scene.nut.width * 0.17, top = tip(scene, bolt), bottom = bolt.floor + HEAD.gap;
  const steel = ctx.createLinearGradient(x - half, 0, x + half, 0);
  [[0, "#69737b"], [0.3, "#eef1f3"], [0.6, "#b4bcc4"], [1, "#66707a"]].forEach(([at, tone]) => steel.addColorStop(at, tone));
  ctx.beginPath();
  ctx.roundRect(x - half, top, 2 * half, bottom - top, [half * 0.8, half * 0.8, 0, 0]);
  ctx.fillStyle = steel;
  ctx.fill();
  ctx.save();
  ctx.clip();
  ctx.beginPath();
  for (let y = top + 9; y < bottom; y += 7) {
    ctx.moveTo(x - half, y);
    ctx.lineTo(x + half, y - 4);
  }
  ctx.strokeStyle = "rgba(50, 58, 66, 0.45)";
  ctx.lineWidth = 1.6;
  ctx.stroke();
  ctx.restore();
  head(ctx, x, bottom, scene.nut.width);
}

function head(ctx, x, y, width) {
  paint.shadowed(ctx, () => {
    paint.roundRect(ctx, x - width * 0.4, y, width * 0.8, HEAD.height, 6);
    ctx.fillStyle = paint.shade(ctx, y, y + HEAD.height, "#dfe4e8", "#98a2ab", "#626c75");
    ctx.fill();
  }, { dy: 3, blur: 6 });
  ctx.strokeStyle = "#515a62";
  ctx.lineWidth = 1.2;
  ctx.stroke();
  ctx.beginPath();
  for (const share of [-0.18, 0.18]) {
    ctx.moveTo(x + width * share, y + 3);
    ctx.lineTo(x + width * share, y + HEAD.height - 3);
  }
  ctx.strokeStyle = "rgba(60, 68, 76, 0.5)";
  ctx.stroke();
}

/** A hexagonal nut from the side: three facets, the colour's mark on the middle one. */
function nut(ctx, size, x, y, name, lifted) {
  const tone = paint.colour(name), w = size.width / 2, h = size.height / 2 - 1.25, bevel = Math.min(7, h * 0.4);
  const outline = [[-w + bevel, -h], [w - bevel, -h], [w, -h + bevel], [w, h - bevel], [w - bevel, h], [-w + bevel, h], [-w, h - bevel], [-w, -h + bevel]];
  ctx.save();
  ctx.translate(x, y);
  ctx.lineJoin = "round";
  paint.shadowed(ctx, () => {
    shape(ctx, outline);
    ctx.fillStyle = tone.fill;
    ctx.fill();
  }, lifted ? { dy: 9, blur: 12 } : { dy: 2, blur: 4 });
  shape(ctx, outline);
  ctx.clip();
  facet(ctx, -w, -w * 0.5, h, tone.light, 0.5);  // the light comes from the left; the mark stands on the plain fill
  facet(ctx, w * 0.5, w, h, tone.dark, 0.45);
  ctx.fillStyle = "rgba(255, 255, 255, 0.3)";
  ctx.fillRect(-w, -h, 2 * w, Math.max(3, h * 0.18));
  ctx.fillStyle = "rgba(0, 0, 0, 0.12)";
  ctx.fillRect(-w, h * 0.7, 2 * w, h * 0.3);
  ctx.restore();
  ctx.save();
  ctx.translate(x, y);
  ctx.lineJoin = "round";
  shape(ctx, outline);
  ctx.strokeStyle = tone.dark;
  ctx.lineWidth = 2;
  ctx.stroke();
  ctx.restore();
  paint.drawMark(ctx, name, x, y, Math.min(h * 0.68, w * 0.3));
}

/** One side of the nut in a flat tone: flat tones keep the pictures small. */
function facet(ctx, x0, x1, h, tone, strength) {
  ctx.fillStyle = tone;
  ctx.globalAlpha = strength;
  ctx.fillRect(x0, -h, x1 - x0, 2 * h);
  ctx.globalAlpha = 1;
}

function shape(ctx, points) {
  ctx.beginPath();
  points.forEach(([x, y], index) => ctx[index ? "lineTo" : "moveTo"](x, y));
  ctx.closePath();
}
