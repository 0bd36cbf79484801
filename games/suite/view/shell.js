// The page: one canvas, one socket. It draws the pictures it is sent and sends pointer and key events; it knows no rule.
import { drawPicture } from "/suite/screens.js";

const WIDTH = 1280, HEIGHT = 900;
const FINAL_CLOSE_CODES = [1008, 1011, 4001];
const canvas = document.getElementById("stage");
const ctx = canvas.getContext("2d", { alpha: false });

let socket = null;
let sent = 0, acknowledged = 0, lost = 0;
let animate = true;
let picture = null;      // the newest picture received
let drawnSeq = -1;       // the picture that is drawn, settled
let motionStart = null;  // when the running motion began, or null
let fault = null;        // what makes this page unusable, or null
let waiters = [];
const listeners = [];
const views = new Map();

// --- drawing ---------------------------------------------------------------------------------------------------------

function fitCanvas() {
  const shown = canvas.getBoundingClientRect().width / WIDTH;
  const ratio = Math.max(1, shown * window.devicePixelRatio);
  canvas.width = Math.round(WIDTH * ratio);
  canvas.height = Math.round(HEIGHT * ratio);
  ctx.setTransform(canvas.width / WIDTH, 0, 0, canvas.height / HEIGHT, 0, 0);
}

function paint(t) {
  try {
    drawPicture(ctx, picture, views, t);
  } catch (error) {
    fail("page_error", `drawing failed: ${error.stack || error}`);
  }
}

function settle() {
  motionStart = null;
  paint(1);
  drawnSeq = picture.seq;
  for (const tell of listeners) tell(picture);
  answerWaiters();
}

function advance(now) {
  if (motionStart === null) return;
  const t = (now - motionStart) / picture.motion.duration_ms;
  if (t >= 1) return settle();
  paint(Math.max(0, t));
  requestAnimationFrame(advance);
}

async function show(next) {
  picture = next;
  const games = [next.game, ...next.controls.map((control) => control.preview?.game)].filter(Boolean);
  const missing = [...new Set(games)].filter((name) => !views.has(name));
  try {
    await Promise.all([
      ...missing.map(async (name) => views.set(name, (await import(`/games/${name}/view/view.js`)).draw)),
      fontsReady,
    ]);
  } catch (error) {
    return fail("page_error", `loading failed: ${error.stack || error}`);
  }
  if (picture === next) begin();
}

function begin() {
  if (animate && picture.motion) {
    motionStart = performance.now();
    paint(0);
    requestAnimationFrame(advance);
  } else {
    settle();
  }
}

async function loadFont(family, weight) {
  const faces = await document.fonts.load(`${weight} 20px "${family}"`, family === "Suite Latin" ? "A" : "\u4e2d");
  if (!faces.length) throw new Error(`the font ${family} ${weight} is missing`);
}
const fontsReady = Promise.all(
  ["Suite Latin", "Suite Han"].flatMap((family) => [400, 700].map((weight) => loadFont(family, weight))));
fontsReady.catch(() => {});  // reported by the first picture that waits for it

// --- the socket ------------------------------------------------------------------------------------------------------

function connect() {
  const path = `${location.pathname}/socket`;
  socket = new WebSocket(`ws://${location.host}${path}`);
  sent = acknowledged = 0;
  socket.onmessage = (event) => receive(JSON.parse(event.data));
  socket.onclose = (event) => {
    if (FINAL_CLOSE_CODES.includes(event.code)) return fail("socket", `the server ended the session (${event.code})`);
    lost += sent - acknowledged;
    setTimeout(connect, 150);
  };
}

function receive(message) {
  acknowledged = message.ack;
  animate = message.animate;
  if (message.picture) show(message.picture);
  else answerWaiters();
}

function send(event) {
  if (motionStart !== null) settle();  // input finishes a motion at once and counts against the settled board
  if (fault) return;
  if (!socket || socket.readyState !== WebSocket.OPEN) {
    lost += 1;
    return answerWaiters();
  }
  sent += 1;
  socket.send(JSON.stringify({ n: sent, ...event }));
}

function fail(kind, message) {
  fault = { kind, message };
  answerWaiters();
}

// --- input -----------------------------------------------------------------------------------------------------------

function at(event) {
  const box = canvas.getBoundingClientRect();
  return { x: ((event.clientX - box.left) * WIDTH) / box.width, y: ((event.clientY - box.top) * HEIGHT) / box.height };
}

function pointer(type) {
  return (event) => {
    if (type === "down") {
      if (event.button !== 0 || !event.isPrimary) return;
      canvas.setPointerCapture(event.pointerId);
    } else if (type !== "cancel" && !(event.type === "pointerup" ? event.button === 0 : event.buttons & 1)) {
      return point(event);
    }
    send({ type, ...at(event) });
  };
}

function point(event) {
  const { x, y } = at(event);
  const hit = picture?.controls.some(({ rect, enabled }) =>
    enabled && x >= rect[0] && x < rect[0] + rect[2] && y >= rect[1] && y < rect[1] + rect[3]);
  canvas.style.cursor = hit ? "pointer" : "default";
}

canvas.addEventListener("pointerdown", pointer("down"));
canvas.addEventListener("pointermove", pointer("move"));
canvas.addEventListener("pointerup", pointer("up"));
canvas.addEventListener("pointercancel", pointer("cancel"));
canvas.addEventListener("contextmenu", (event) => event.preventDefault());
window.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key === " " ? "Space" : event.key;
  if (["Tab", "Space", "Backspace"].includes(key) || key.startsWith("Arrow")) event.preventDefault();
  send({ type: "key", key });
});
window.addEventListener("resize", () => {
  fitCanvas();
  if (picture && motionStart === null) paint(1);
});
window.addEventListener("error", (event) => fail("page_error", event.message));

// --- for people.js -----------------------------------------------------------------------------------------------------

/** Call `listener` with the picture that is drawn and at rest, now and after every change. */
export function onPicture(listener) {
  listeners.push(listener);
  if (drawnSeq >= 0) listener(picture);
}

/** Click at a place of the picture. */
export function tap(x, y) {
  send({ type: "down", x, y });
  send({ type: "up", x, y });
}

// --- for whoever drives the page -------------------------------------------------------------------------------------

function isSettled(seq) {
  return picture !== null && sent === acknowledged && motionStart === null && drawnSeq === picture.seq && drawnSeq >= seq;
}

function answerWaiters() {
  const open = waiters;
  waiters = [];
  for (const waiter of open) {
    if (fault) waiter.resolve(fault);
    else if (lost) waiter.resolve({ kind: "socket", message: `${lost} events were lost with the connection` });
    else if (isSettled(waiter.seq)) waiter.resolve({ kind: "settled", message: "" });
    else waiters.push(waiter);
  }
  if (open.length > waiters.length) lost = 0;
}

window.suite = {
  /** Resolve when every event sent is answered and the picture with at least number `seq` is drawn and at rest. */
  settled: (seq = 0) => new Promise((resolve) => {
    waiters.push({ seq, resolve });
    answerWaiters();
  }),
  /** What keeps the page from being settled, for error messages. */
  status: () => ({
    socket: socket?.readyState, sent, acknowledged, drawnSeq, newestSeq: picture?.seq, moving: motionStart !== null,
  }),
  /** Draw the latest motion at t and leave it there, to look at it. */
  freeze: (t) => {
    motionStart = null;
    paint(t);
  },
};

fitCanvas();
connect();
