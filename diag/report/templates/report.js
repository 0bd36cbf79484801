// The report works without this script; it adds the scrubber, the endpoint choice of the grid, and missing-picture notes.
"use strict";
(() => {
  document.documentElement.classList.add("scripted");  // shows what works with this script alone
  for (const box of document.querySelectorAll(".scroll")) {  // a table that is wider than its place, for the keyboard
    if (box.scrollWidth <= box.clientWidth) continue;
    const caption = box.querySelector("caption");
    Object.assign(box, { tabIndex: 0, role: "region", ariaLabel: caption ? caption.textContent.slice(0, 80) : "A wide table" });
  }

  const missing = (image) => image.classList.add("lost");
  for (const image of document.querySelectorAll("img[data-shot]")) {
    image.addEventListener("error", () => missing(image));
    if (image.complete && image.naturalWidth === 0 && image.currentSrc) missing(image);
  }

  const choice = document.querySelector("#grid-endpoint");
  if (choice) {
    const names = { 1: "yes", 0: "no", n: "na", x: "lost" };
    const show = () => {
      for (const cell of document.querySelectorAll(".cell[data-v]")) {
        const found = names[cell.dataset.v[choice.selectedIndex]];
        cell.className = "cell " + found;
        cell.querySelector(".skip").textContent = { yes: "yes", no: "no", na: "does not apply", lost: "no valid outcome" }[found];
      }
    };
    choice.addEventListener("change", show);
    show();
  }

  const filters = ["arm", "ending"].map((name) => [name, document.querySelector(`#grid-${name}`)]);
  if (filters.every(([, select]) => select)) {
    const apply = () => {
      const cells = [...document.querySelectorAll(".cell[data-arm]")];
      let shown = 0;
      for (const cell of cells) {
        const off = filters.some(([name, select]) => select.value && cell.dataset[name] !== select.value);
        cell.hidden = off;
        shown += !off;
      }
      document.querySelector("#grid-count").textContent = shown === cells.length ? "" : `${shown} of ${cells.length} units`;
    };
    for (const [, select] of filters) select.addEventListener("change", apply);
    apply();
  }

  window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => { d.open = true; }));

  const watch = document.querySelector(".watch");
  if (!watch) return;
  const steps = [...document.querySelectorAll("ol.steps > li")];
  const slider = watch.querySelector("input[type=range]");
  const output = watch.querySelector("output");
  const stage = watch.querySelector(".stage");
  const big = stage.querySelector("img");
  const says = watch.querySelector(".now-says");
  const cursor = watch.querySelector(".cursor");
  let now = -1;

  const show = (index, scroll) => {
    const next = Math.max(0, Math.min(steps.length - 1, index));
    if (next === now) return;
    if (now >= 0) steps[now].classList.remove("now");
    now = next;
    const step = steps[now];
    step.classList.add("now");
    slider.value = now;
    output.textContent = `${now + 1} of ${steps.length}, ${step.dataset.clock} s`;
    slider.setAttribute("aria-valuetext", output.textContent);
    const small = step.querySelector(".shot img");
    big.classList.toggle("lost", !small || small.classList.contains("lost"));
    if (small) big.src = small.getAttribute("src");
    stage.querySelector("svg").innerHTML = step.querySelector(".shot svg").innerHTML;
    says.innerHTML = step.querySelector(".said").innerHTML;
    if (cursor) {
      cursor.setAttribute("x1", step.dataset.x);
      cursor.setAttribute("x2", step.dataset.x);
    }
    if (scroll) history.replaceState(null, "", `#step-${now + 1}`);
  };

  big.addEventListener("error", () => missing(big));
  slider.addEventListener("input", () => show(Number(slider.value), true));
  watch.querySelector(".back").addEventListener("click", () => show(now - 1, true));
  watch.querySelector(".forward").addEventListener("click", () => show(now + 1, true));
  for (const [index, step] of steps.entries()) {
    step.querySelector(".go").addEventListener("click", (event) => { event.preventDefault(); show(index, true); watch.scrollIntoView({ block: "start" }); });
  }
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea, button") || event.ctrlKey || event.metaKey || event.altKey) return;
    const moves = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: steps.length - 1 };
    if (event.key in moves) { event.preventDefault(); show(moves[event.key], true); }
  });
  const asked = /^#step-(\d+)$/.exec(location.hash);
  show(asked ? Number(asked[1]) - 1 : 0, false);
  // the browser would stop at the step in the list below; the viewer shows it larger
  if (asked) window.addEventListener("load", () => setTimeout(() => watch.scrollIntoView({ block: "start" })));
})();
