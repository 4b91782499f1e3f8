// The figures of all charts: of their marks, and of the tables beside them. Runs in the page; see figures.rs.
const charts = [];
const of = (mark, attribute) => (mark.closest(`[${attribute}]`) || { getAttribute: () => null }).getAttribute(attribute);
for (const figure of document.querySelectorAll("figure.chart")) {
  const owner = figure.closest("article[data-table]");
  const marks = [...figure.querySelectorAll(":scope > svg [data-value]")].map((mark) => {
    const box = mark.querySelector("rect") ? mark.querySelector("rect").getBoundingClientRect() : mark.getBoundingClientRect();
    return {
      name: of(mark, "data-name"),
      series: of(mark, "data-series"),
      moment: of(mark, "data-moment"),
      days: mark.hasAttribute("data-days") ? Number(mark.getAttribute("data-days")) : null,
      value: Number(mark.getAttribute("data-value")),
      width: box.width, height: box.height, x: box.x + box.width / 2, y: box.y + box.height / 2,
    };
  });
  const rows = [...figure.querySelectorAll("tbody tr")].map((row) => ({
    name: row.cells[0].textContent,
    values: [...row.cells].filter((cell) => cell.dataset.value !== undefined).map((cell) => Number(cell.dataset.value)),
  }));
  const heading = figure.closest("section").querySelector("h2").textContent;
  let before = figure.previousElementSibling;
  while (before && !/^H[34]$/.test(before.tagName)) before = before.previousElementSibling;
  charts.push({
    title: figure.querySelector("figcaption").textContent, section: heading,
    table: owner ? owner.dataset.table : null, under: before ? before.textContent : null,
    head: [...figure.querySelectorAll("thead th")].map((cell) => cell.textContent), marks, rows,
  });
}
return charts;
