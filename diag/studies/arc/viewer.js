"use strict";
(() => {
  const palette = PALETTE, folder = FOLDER, side = 64, cell = 10;
  const root = document.querySelector(".grid-viewer");
  const [select, range, output, canvas] = ["select", "input[type=range]", "output", "canvas"].map((s) => root.querySelector(s));
  const animation = root.querySelector("[data-animation]"), marks = root.querySelector("[data-marks]");
  const pen = canvas.getContext("2d");
  let steps = [];

  // Each step: what was done, how things stand, the grid as 64 strings, and whether it is a frame of an animation.
  const unfold = (play) => {
    const found = [];
    let grid = Array(side).fill("0".repeat(side));
    play.forEach((turn, n) => {
      if (!turn.f.length) found.push({ ...turn, n, grid, refused: true });
      turn.f.forEach((rows, k) => {
        grid = grid.map((line, row) => rows[row] ?? line);
        found.push({ ...turn, n, grid, between: k < turn.f.length - 1 });
      });
    });
    return found;
  };
  const list = () => steps.filter((step) => animation.checked || !step.between);

  const draw = () => {
    const shown = list();
    range.max = Math.max(0, shown.length - 1);
    const place = Number(range.value), step = shown[place], before = shown[place - 1];
    if (!step) return;
    for (let row = 0; row < side; row += 1) {
      for (let column = 0; column < side; column += 1) {
        pen.fillStyle = palette[parseInt(step.grid[row][column], 16)];
        pen.fillRect(column * cell, row * cell, cell, cell);
        if (marks.checked && before && before.grid[row][column] !== step.grid[row][column]) {
          pen.strokeStyle = "#000";
          pen.strokeRect(column * cell + 1.5, row * cell + 1.5, cell - 3, cell - 3);
          pen.strokeStyle = "#fff";
          pen.strokeRect(column * cell + 2.5, row * cell + 2.5, cell - 5, cell - 5);
        }
      }
    }
    const kind = step.refused ? "refused, " : step.between ? "animation, " : "";
    output.textContent = `${place + 1} of ${shown.length}: action ${step.n}, ${step.a}, ${kind}${step.s}, ${step.l} levels`;
  };
  const go = (place) => { range.value = place; draw(); };

  const load = () => {
    const unit = select.value;
    const ready = () => { steps = unfold(window.arcPlays[unit]); range.max = list().length - 1; go(0); };
    if (window.arcPlays?.[unit]) { ready(); return; }
    const script = document.createElement("script");
    script.src = `${folder}/${encodeURIComponent(unit)}.js`;
    script.onload = ready;
    script.onerror = () => { output.textContent = `the frames of ${unit} are not beside the report`; };
    document.head.append(script);
  };

  select.addEventListener("change", load);
  range.addEventListener("input", draw);
  marks.addEventListener("change", draw);
  animation.addEventListener("change", () => go(0));
  root.querySelector("[data-back]").addEventListener("click", () => go(Number(range.value) - 1));
  root.querySelector("[data-forward]").addEventListener("click", () => go(Number(range.value) + 1));
  root.addEventListener("keydown", (event) => {
    if (event.target === select || event.target === range) return;
    const jumps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };
    if (event.key in jumps) go(Number(range.value) + jumps[event.key]);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(range.max);
    else return;
    event.preventDefault();
  });
  load();
})();
