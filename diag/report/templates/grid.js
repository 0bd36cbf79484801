"use strict";
(() => {
  const root = document.querySelector(".grid-viewer");
  const side = 64, cell = 10;
  const { palette, steps: turns } = JSON.parse(document.querySelector("#grid-play").textContent);
  const [range, output, canvas] = ["input[type=range]", "output", "canvas"].map((s) => root.querySelector(s));
  const [animation, marks, says] = ["[data-animation]", "[data-marks]", ".grid-says"].map((s) => root.querySelector(s));
  const pen = canvas.getContext("2d");

  // Each step: what was done, how things stand, the grid as 64 strings, and whether it is a frame of an animation.
  const steps = [];
  let grid = Array(side).fill("0".repeat(side));
  turns.forEach((turn, n) => {
    if (!turn.f.length) steps.push({ ...turn, n, grid, refused: true });
    turn.f.forEach((rows, k) => {
      grid = grid.map((line, row) => rows[row] ?? line);
      steps.push({ ...turn, n, grid, between: k < turn.f.length - 1 });
    });
  });
  let shown = steps, place = 0;

  const draw = () => {
    const step = shown[place], before = shown[place - 1];
    let changed = 0;
    for (let row = 0; row < side; row += 1) {
      for (let column = 0; column < side; column += 1) {
        pen.fillStyle = palette[parseInt(step.grid[row][column], 16)];
        pen.fillRect(column * cell, row * cell, cell, cell);
        if (!before || before.grid[row][column] === step.grid[row][column]) continue;
        changed += 1;
        if (!marks.checked) continue;
        pen.strokeStyle = "#000";
        pen.strokeRect(column * cell + 1.5, row * cell + 1.5, cell - 3, cell - 3);
        pen.strokeStyle = "#fff";
        pen.strokeRect(column * cell + 2.5, row * cell + 2.5, cell - 5, cell - 5);
      }
    }
    const kind = step.refused ? "not taken, " : step.between ? "animation, " : "";
    range.max = shown.length - 1;
    range.value = place;
    output.textContent = `${place + 1} of ${shown.length}`;
    says.textContent = `Action ${step.n}: ${step.a}. ${kind}${step.s}, ${step.l} levels completed, ${changed} cells changed. ${step.w} ${step.r}`;
  };
  const go = (to) => { place = Math.min(Math.max(0, to), shown.length - 1); draw(); };
  const choose = () => {
    const now = shown[place];
    shown = steps.filter((step) => animation.checked || !step.between);
    go(Math.max(0, shown.findIndex((step) => step.n >= now.n)));
  };

  range.addEventListener("input", () => go(Number(range.value)));
  marks.addEventListener("change", draw);
  animation.addEventListener("change", choose);
  root.querySelector(".back").addEventListener("click", () => go(place - 1));
  root.querySelector(".forward").addEventListener("click", () => go(place + 1));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === range) return;
    const jumps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };
    if (event.key in jumps) go(place + jumps[event.key]);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(shown.length - 1);
    else return;
    event.preventDefault();
  });
  choose();
})();
