// Makes a page the same in every session: its clock moves when the evaluator says so, and chance comes from a seed.
// Runs before the page's own scripts. `options`: {fixed, seeded, seed, epoch}.
(options) => {
  const door = Symbol.for("steady");
  if (window[door]) return;
  const real = { Date, setTimeout: window.setTimeout.bind(window), frame: window.requestAnimationFrame.bind(window) };
  const channel = new MessageChannel();
  const hop = () => new Promise((done) => {
    channel.port1.onmessage = done;
    channel.port2.postMessage(0);
  });
  let dice = options.seed >>> 0;
  const draw = () => {
    dice = (dice + 0x6d2b79f5) >>> 0;
    let t = Math.imul(dice ^ (dice >>> 15), dice | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  let now = 0;
  let last = 0;
  const timers = new Map();
  const frames = new Map();

  if (options.seeded) {
    Math.random = draw;
    crypto.getRandomValues = (array) => {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      for (let i = 0; i < bytes.length; i += 1) bytes[i] = Math.floor(draw() * 256);
      return array;
    };
    crypto.randomUUID = () => {
      const hex = Array.from({ length: 32 }, () => Math.floor(draw() * 16).toString(16));
      hex[12] = "4";
      hex[16] = "89ab"[Math.floor(draw() * 4)];
      return hex.join("").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    };
  }
  if (options.fixed) {
    const today = () => options.epoch + Math.floor(now);
    window.Date = new Proxy(real.Date, {
      construct: (target, given, made) => Reflect.construct(target, given.length ? given : [today()], made),
      apply: () => new real.Date(today()).toString(),
      get: (target, key) => (key === "now" ? today : Reflect.get(target, key)),
    });
    real.Date.prototype.constructor = window.Date;
    performance.now = () => now;
    const later = (repeats) => (call, wait, ...given) => {
      last += 1;
      const step = Math.max(1, Number(wait) || 0);
      if (typeof call === "function") timers.set(last, { at: now + step, call, given, step: repeats ? step : 0 });
      return last;
    };
    const forget = (id) => timers.delete(id);
    window.setTimeout = later(false);
    window.setInterval = later(true);
    window.clearTimeout = forget;
    window.clearInterval = forget;
    window.requestAnimationFrame = (call) => {
      last += 1;
      frames.set(last, call);
      return last;
    };
    window.cancelAnimationFrame = (id) => frames.delete(id);
    window.requestIdleCallback = (call) => window.setTimeout(() => call({ didTimeout: false, timeRemaining: () => 50 }), 1);
    window.cancelIdleCallback = forget;
  }

  const run = (call, given) => {
    try {
      call(...given);
    } catch (error) {
      reportError(error);
    }
  };
  const FRAME_MS = 1000 / 60;
  const advance = async (ms) => {
    const end = now + ms;
    for (;;) {
      const [id, timer] = [...timers].reduce((a, b) => (b[1].at < a[1].at ? b : a), [0, { at: Infinity }]);
      const frameAt = frames.size ? (Math.floor(now / FRAME_MS + 1e-6) + 1) * FRAME_MS : Infinity;
      const at = Math.min(timer.at, frameAt);
      if (at > end) break;
      now = Math.max(now, at);
      if (timer.at <= frameAt) {
        if (timer.step) timer.at += timer.step;
        else timers.delete(id);
        run(timer.call, timer.given);
      } else {
        const due = [...frames.values()];
        frames.clear();
        for (const call of due) run(call, [now]);
      }
      await hop();
    }
    now = Math.max(now, end);
  };
  const finishAnimations = () => {
    const running = document.getAnimations().filter((one) => one.playState === "running" || one.pending);
    for (const one of running) {
      try {
        one.finish();
      } catch {
        one.pause();
        one.currentTime = 0;
      }
    }
    return running.length;
  };
  const drawn = () => new Promise((done) => real.frame(() => real.frame(done)));
  const loaded = () => Promise.all([
    document.fonts.ready,
    ...[...document.images].filter((one) => !one.complete).map((one) => new Promise((done) => {
      one.addEventListener("load", done);
      one.addEventListener("error", done);
    })),
  ]);
  // What was painted piece by piece differs in smoothed corners from what is painted at once: paint all of it anew.
  const repainted = async () => {
    const style = document.documentElement.style;
    const before = style.backgroundColor;
    style.backgroundColor = before === "black" ? "white" : "black";
    await drawn();
    style.backgroundColor = before;
    await drawn();
  };
  window[door] = {
    reseed: () => {
      dice = options.seed >>> 0;
      if (document.activeElement && document.activeElement !== document.body) document.activeElement.blur();
    },
    settle: async (ms) => {
      await loaded();
      await drawn();
      if (!options.fixed) {
        await new Promise((done) => real.setTimeout(done, ms));
        return;
      }
      await advance(ms);
      for (let round = 0; round < 8; round += 1) {
        await drawn();
        if (!finishAnimations()) break;
        await drawn();
        await advance(FRAME_MS);
      }
      await loaded();
      await repainted();
    },
  };
}
