// Bolt Unscrew: a slate plate with holes, layered wooden boards, steel screws.
import * as paint from "/suite/paint.js";

const PLATE = { x: 460 - 268, y: 104, width: 536, height: 758 };
const PEG = 14, HOLE = 20, HEAD = 22;  // radii in authoring units, as in the rules
const LIFT_PX = 18;
const STEEL = "#6f8a97";

/** Marks and what they stand on: [what, mark, ground]; tests hold them at 3:1. */
export const contrasts = Object.entries(paint.WOODS).flatMap(([name, { edge, fill }]) => [
  [`rim of ${name}`, edge, fill], [`${name} on the plate`, name === "ebony" ? fill : edge, STEEL],
]);

export function draw(ctx, scene, motion, t) {
  const unit = scene.unit;
  const stage = timeline(motion, t);
  plate(ctx);
  for (const hole of scene.holes) paint.hole(ctx, hole.x, hole.y, PEG * unit);
  for (const screw of scene.screws) if (!screw.lifted) bore(ctx, screw, unit);
  for (const shown of scene.boards) board(ctx, turned(shown, motion, stage), unit);
  for (const screw of scene.screws) if (!screw.lifted) drawScrew(ctx, screw, unit, motion, stage);
  if (motion?.kind === "move") for (const gone of motion.falls) board(ctx, fallen(gone, stage.settle), unit);
  for (const screw of scene.screws) if (screw.lifted || flies(screw, motion, stage)) drawScrew(ctx, screw, unit, motion, stage);
}

/** How far each phase has come, in [0, 1]: the screw's flight, then the boards. */
function timeline(motion, t) {
  if (!motion) return { flight: 1, settle: 1, all: 1 };
  if (motion.kind !== "move") return { flight: 1, settle: 1, all: t };
  const ms = t * motion.duration_ms;
  const rest = motion.duration_ms - motion.flight_ms;
  return { flight: Math.min(1, ms / motion.flight_ms), settle: rest > 0 ? Math.max(0, (ms - motion.flight_ms) / rest) : 1, all: t };
}

function plate(ctx) {
  const { x, y, width, height } = PLATE;
  paint.panel(ctx, x, y, width, height, { radius: 26, fill: STEEL, edge: "#3f5662", lift: 5, blur: 0 });
  paint.roundRect(ctx, x + 9, y + 9, width - 18, height - 18, 19);
  ctx.strokeStyle = "rgba(255, 255, 255, 0.22)";
  ctx.lineWidth = 2;
  ctx.stroke();
}

/** The hole a standing screw sits in: only ever seen beside a head that is on its way. */
function bore(ctx, screw, unit) {
  paint.hole(ctx, screw.x, screw.y, PEG * unit);
}

function board(ctx, shown, unit) {
  const { length, width } = shown;
  ctx.save();
  ctx.globalAlpha = shown.alpha ?? 1;
  ctx.translate(shown.x, shown.y);
  ctx.rotate(shown.angle);
  ctx.save();
  if (shown.holes.length) cutHoles(ctx, shown, unit);
  paint.shadowed(ctx, () => {
    paint.roundRect(ctx, -length / 2, -width / 2, length, width, width / 2);
    ctx.fillStyle = "#7c5426";
    ctx.fill();
  }, { dx: 1, dy: 3, blur: 0, tone: "rgba(20, 25, 30, 0.42)" });
  paint.roundRect(ctx, -length / 2, -width / 2, length, width, width / 2);
  paint.wood(ctx, { x: -length / 2, y: -width / 2, width: length, height: width }, shown.colour, shown.id);
  ctx.restore();
  if (shown.holes.length) rims(ctx, shown, unit);
  ctx.restore();
}

/** Keep the drilled holes free of paint, so that whatever lies behind shows through. */
function cutHoles(ctx, { length, width, holes }, unit) {
  const margin = 20;  // for the shadow
  ctx.beginPath();
  ctx.rect(-length / 2 - margin, -width / 2 - margin, length + 2 * margin, width + 2 * margin);
  for (const [u, v] of holes) {
    ctx.moveTo(u + HOLE * unit, v);
    ctx.arc(u, v, HOLE * unit, 0, Math.PI * 2);
  }
  ctx.clip("evenodd");
}

/** The inner edges of the drilled holes, where they are inside the wood. */
function rims(ctx, shown, unit) {
  const { length, width } = shown;
  paint.roundRect(ctx, -length / 2, -width / 2, length, width, width / 2);
  ctx.clip();
  for (const [u, v] of shown.holes) {
    ctx.beginPath();
    ctx.arc(u, v, HOLE * unit, 0, Math.PI * 2);
    ctx.strokeStyle = paint.stain(shown.colour).edge;
    ctx.lineWidth = 3;
    ctx.stroke();
  }
}

/** A board on its way: turned back about its pivot by what is left of its sweep. */
function turned(shown, motion, stage) {
  const turn = motion?.kind === "move" && motion.turns.find((item) => item.board === shown.id);
  if (!turn || stage.settle >= 1) return shown;
  const left = -turn.sweep * (1 - paint.ease(stage.settle));
  const [px, py] = turn.pivot;
  const dx = shown.x - px, dy = shown.y - py;
  return {
    ...shown,
    x: px + Math.cos(left) * dx - Math.sin(left) * dy,
    y: py + Math.sin(left) * dx + Math.cos(left) * dy,
    angle: shown.angle + left,
  };
}

function fallen(gone, progress) {
  const drop = paint.fall(progress);
  const side = gone.id % 2 ? 1 : -1;
  return { ...gone, y: gone.y + 900 * drop, angle: gone.angle + side * 0.5 * drop, alpha: 1 - Math.max(0, progress - 0.75) * 4 };
}

function flies(screw, motion, stage) {
  return motion?.kind === "move" && motion.screw.id === screw.id && stage.flight < 1;
}

function drawScrew(ctx, screw, unit, motion, stage) {
  if (!screw.lifted && flies(screw, motion, stage)) {
    const e = paint.ease(stage.flight);
    const [fx, fy] = motion.screw.from;
    const height = LIFT_PX + 16 * Math.sin(Math.PI * stage.flight) - LIFT_PX * e;
    return head(ctx, paint.mix(fx, screw.x, e), paint.mix(fy, screw.y, e), unit, height, screw.id + 4 * e);
  }
  const dx = screw.lifted && motion?.kind === "shake" ? 6 * paint.shake(stage.all) : 0;
  return head(ctx, screw.x + dx, screw.y, unit, liftOf(screw, motion, stage.all), screw.id);
}

function liftOf(screw, motion, t) {
  const is = (spot) => spot && spot[0] === screw.x && spot[1] === screw.y;
  if (motion?.kind === "lift") {
    if (is(motion.up)) return LIFT_PX * paint.ease(t);
    if (is(motion.down)) return LIFT_PX * (1 - paint.ease(t));
  }
  return screw.lifted ? LIFT_PX : 0;
}

function head(ctx, x, y, unit, height, turn) {
  const radius = HEAD * unit * (1 + height / 110);
  if (height > 0.5) {
    ctx.beginPath();  // the shank between head and hole
    ctx.ellipse(x + height * 0.35, y + height * 0.9, radius * 0.8, radius * 0.7, 0, 0, Math.PI * 2);
    ctx.fillStyle = "rgba(15, 20, 25, 0.35)";
    ctx.fill();
    ctx.fillStyle = "#8b949c";
    ctx.fillRect(x - PEG * unit * 0.6, y - height, PEG * unit * 1.2, height);
  }
  paint.screw(ctx, x, y - height, radius, { angle: 0.4 + turn * 0.7, lifted: height > 4 });
}
