// What is wrong with the page, as sentences. Runs in the page; see mod.rs.
const faults = [];
const fault = (text) => faults.push(text);
const of = (element) => element.outerHTML.slice(0, 120);

// One file: nothing is loaded, and every link leads to a part of the page.
for (const element of document.querySelectorAll("[src], link, iframe, object, form, [style]")) fault("refers to others or styles itself: " + of(element));
if (performance.getEntriesByType("resource").length > 0) fault("loads something: " + performance.getEntriesByType("resource")[0].name);
const links = document.querySelectorAll("a[href]");
if (links.length === 0) fault("has no links");
for (const link of links) {
  const href = link.getAttribute("href");
  if (!href.startsWith("#")) fault("leads elsewhere: " + of(link));
  else if (!document.getElementById(decodeURIComponent(href.slice(1)))) fault("leads nowhere: " + of(link));
}
const ids = new Set();
for (const element of document.querySelectorAll("[id]")) {
  if (ids.has(element.id)) fault("an id twice: " + element.id);
  ids.add(element.id);
}
if (document.querySelectorAll("script").length !== 1) fault("has scripts of others");
if (document.querySelectorAll("img").length !== 0) fault("has images");

// Headings in order, and names for everything that has a place of its own.
let level = 0;
for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
  const own = Number(heading.tagName[1]);
  if (own > level + 1) fault(`a heading of level ${own} after one of ${level}: ` + of(heading));
  if (!heading.textContent.trim()) fault("an empty heading: " + of(heading));
  level = own;
}
if (document.querySelectorAll("h1").length !== 1) fault("has not one h1");
for (const part of document.querySelectorAll("section, article, [role=region], [role=group]:not(svg)")) {
  const by = part.getAttribute("aria-labelledby");
  const name = by ? (document.getElementById(by) || {}).textContent : part.getAttribute("aria-label");
  if (!name || !name.trim()) fault("has no name: " + of(part));
}
for (const landmark of ["header", "nav[aria-label]", "main", "footer"]) {
  if (document.querySelectorAll("body > .sheet > " + landmark).length !== 1) fault("has not one " + landmark);
}
for (const table of document.querySelectorAll("table")) {
  if (!table.caption || !table.caption.textContent.trim()) fault("a table without caption: " + of(table));
  for (const row of table.tBodies[0].rows) if (row.cells[0].scope !== "row") fault("a row without heading: " + of(row));
}
for (const drawing of document.querySelectorAll(".chart > svg")) {
  if (drawing.getAttribute("role") !== "img" || !drawing.getAttribute("aria-label")) fault("a chart without name: " + of(drawing));
  if (!drawing.parentElement.querySelector("table")) fault("a chart without its figures: " + of(drawing));
}

// Nothing is wider than the window, but for what scrolls by itself.
const root = document.scrollingElement;
if (root.scrollWidth > root.clientWidth + 1) {
  const wide = [...document.querySelectorAll("main *, header *")].find((element) =>
    element.getBoundingClientRect().right > root.clientWidth + 1 && !element.closest(".wide, pre, .diagram, svg"));
  fault(`is ${root.scrollWidth} wide in a window of ${root.clientWidth}: ` + (wide ? of(wide) : "?"));
}

// Text stands out from its ground (WCAG AA: 4.5 to 1).
const colour = (text) => (text.match(/[\d.]+/g) || [0, 0, 0]).map(Number);
const luminance = ([r, g, b]) => [r, g, b].map((part) => part / 255)
  .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
const ground = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const found = colour(getComputedStyle(at).backgroundColor);
    if (found.length < 4 || found[3] > 0) return found;
  }
  return [255, 255, 255];
};
const seen = new Set();
for (const element of document.querySelectorAll("body *")) {
  if (element.closest("svg, script, style") || !element.textContent.trim() || element.children.length > 0) continue;
  const [front, back] = [getComputedStyle(element).color, ground(element)];
  const key = front + back;
  if (seen.has(key)) continue;
  seen.add(key);
  const [one, other] = [luminance(colour(front)), luminance(back)];
  const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  if (contrast < 4.5) fault(`contrast ${contrast.toFixed(2)}: ` + of(element));
}
return faults;
