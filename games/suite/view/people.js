// The page by keyboard and by screen reader, for people: an agent's page does not load this file.
// Over every control on the canvas lies a button of the same place, invisible until it is focused.
import { onPicture, tap } from "/suite/shell.js";

const WAY = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const canvas = document.getElementById("stage");
const layer = Object.assign(document.createElement("div"), { id: "controls" });
const status = Object.assign(document.createElement("p"), { id: "status", role: "status" });
document.body.append(layer, status);
let isMenu = true;

onPicture((picture) => {
  isMenu = picture.screen !== "playing" || picture.dialog !== null;
  document.documentElement.lang = picture.language;
  canvas.setAttribute("role", isMenu ? "img" : "application");
  canvas.setAttribute("aria-label", [picture.title, picture.subtitle, ...picture.instructions].join(". "));
  canvas.tabIndex = isMenu ? -1 : 0;
  status.textContent = picture.dialog ? `${picture.dialog.title} ${picture.dialog.text}` : (picture.note?.text ?? "");
  const focused = document.activeElement.dataset.id;
  layer.replaceChildren(...picture.controls.map((control) => button(control, picture)));
  if (!focused) return;
  const again = enabled().find((one) => one.dataset.id === focused);
  (again ?? (isMenu ? first() : canvas)).focus();
});

function button(control, { title }) {
  const [x, y, width, height] = control.rect;
  const one = document.createElement("button");
  const words = [control.style === "level" ? title : "", control.label, control.detail, control.count, control.mark ? "✓" : ""];
  one.textContent = words.filter(Boolean).join(" ");
  one.disabled = !control.enabled;
  Object.assign(one.dataset, { id: control.id, style: control.style });
  Object.assign(one.style, { left: `${x / 12.8}%`, top: `${y / 9}%`, width: `${width / 12.8}%`, height: `${height / 9}%` });
  one.addEventListener("click", () => tap(x + width / 2, y + height / 2));
  return one;
}

const enabled = () => [...layer.children].filter((one) => !one.disabled);
const first = () => enabled().find((one) => one.dataset.style !== "bar") ?? enabled()[0];

/** The nearest button on one side, those straight ahead before others. */
function neighbour(from, [right, down]) {
  const middle = (one) => [one.offsetLeft + one.offsetWidth / 2, one.offsetTop + one.offsetHeight / 2];
  const [x, y] = middle(from);
  const ahead = enabled().map((one) => {
    const [dx, dy] = [middle(one)[0] - x, middle(one)[1] - y];
    return { one, along: dx * right + dy * down, across: Math.abs(dx * down) + Math.abs(dy * right) };
  }).filter(({ along, across }) => along > 1 && along * 2 > across);
  return ahead.sort((a, b) => a.along + 3 * a.across - b.along - 3 * b.across)[0]?.one ?? from;
}

// Before the page's own listener, which sends every key to the game.
window.addEventListener("keydown", (event) => {
  const focused = layer.contains(document.activeElement) ? document.activeElement : null;
  if (event.key === "Tab" || (focused && ["Enter", " "].includes(event.key))) return event.stopImmediatePropagation();
  if (!isMenu || !(event.key in WAY)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  (focused ? neighbour(focused, WAY[event.key]) : first()).focus();
}, true);
