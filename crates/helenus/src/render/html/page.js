
"use strict";
(() => {
  // On a narrow screen the contents would come before everything else.
  const contents = document.querySelector("nav .contents");
  if (contents && matchMedia("(max-width: 60rem)").matches) contents.open = false;

  // On paper nothing can be opened.
  const reopened = [];
  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("main details:not([open])")) {
      if (!part.closest(".chart")) { part.open = true; reopened.push(part); }
    }
  });
  addEventListener("afterprint", () => {
    for (const part of reopened.splice(0)) part.open = false;
  });

  // What is too wide scrolls by keys as well.
  const wide = document.querySelectorAll(".wide");
  const makeReachable = () => {
    const scrolls = [...wide].map((part) => part.scrollWidth > part.clientWidth);
    wide.forEach((part, at) => {
      if (!scrolls[at]) return part.removeAttribute("tabindex");
      part.setAttribute("tabindex", "0");
      part.setAttribute("role", "group");
      part.setAttribute("aria-label", part.querySelector("caption").textContent);
    });
  };
  makeReachable();
  addEventListener("resize", makeReachable);
  addEventListener("toggle", makeReachable, true);

  const frame = document.querySelector(".diagram");
  const picture = frame && frame.querySelector("svg");
  if (!picture) return;
  const tools = document.querySelector(".diagram-tools");
  const shown = tools.querySelector("output");
  const size = picture.viewBox.baseVal;
  let scale = 1;

  // The point of the picture under `at` stays where it is.
  const zoom = (to, at) => {
    const box = frame.getBoundingClientRect();
    const x = at ? at.clientX - box.left : frame.clientWidth / 2;
    const y = at ? at.clientY - box.top : frame.clientHeight / 2;
    const before = scale;
    scale = Math.min(4, Math.max(0.1, to));
    const [left, top] = [frame.scrollLeft + x, frame.scrollTop + y];
    picture.setAttribute("width", size.width * scale);
    picture.setAttribute("height", size.height * scale);
    frame.scrollLeft = left * scale / before - x;
    frame.scrollTop = top * scale / before - y;
    shown.textContent = Math.round(scale * 100) + " %";
  };
  const fit = () => zoom(Math.min(1, frame.clientWidth / size.width));
  const actions = { in: () => zoom(scale * 1.25), out: () => zoom(scale / 1.25), fit, whole: () => zoom(1) };
  for (const button of tools.querySelectorAll("button[data-zoom]")) {
    button.addEventListener("click", actions[button.dataset.zoom]);
  }
  tools.hidden = false;
  fit();
  frame.addEventListener("keydown", (event) => {
    const action = { "+": "in", "=": "in", "-": "out", "0": "fit", "1": "whole" }[event.key];
    if (action && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); actions[action](); }
  });
  frame.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(scale * Math.exp(-event.deltaY / 300), event);
  }, { passive: false });

  // A mouse drags; fingers scroll by themselves.
  let from = null;
  let moved = false;
  frame.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    from = { x: event.clientX + frame.scrollLeft, y: event.clientY + frame.scrollTop, startX: event.clientX, startY: event.clientY };
    moved = false;
  });
  addEventListener("pointermove", (event) => {
    if (!from) return;
    moved = moved || Math.hypot(event.clientX - from.startX, event.clientY - from.startY) > 4;
    if (!moved) return;
    frame.classList.add("dragged");
    frame.scrollLeft = from.x - event.clientX;
    frame.scrollTop = from.y - event.clientY;
  });
  addEventListener("pointerup", () => { from = null; frame.classList.remove("dragged"); });

  // From a table or query in the diagram to its description.
  const described = (kind, name) => document.querySelector(`article[data-${kind}="${CSS.escape(name)}"]`);
  for (const kind of ["table", "query"]) {
    for (const part of picture.querySelectorAll(`g[id][data-${kind}]`)) {
      const own = part.id.startsWith(kind + "-");
      const target = own && described(kind, part.getAttribute("data-" + kind));
      if (!target) continue;
      part.setAttribute("tabindex", "0");
      part.setAttribute("role", "link");
      part.setAttribute("aria-label", `${kind} ${part.getAttribute("data-" + kind)}`);
      const follow = () => {
        location.hash = target.id;
        const heading = target.querySelector("h3");
        heading.setAttribute("tabindex", "-1");
        heading.focus({ preventScroll: true });
      };
      part.addEventListener("click", () => { if (!moved) follow(); });
      part.addEventListener("keydown", (event) => {
        if (event.key === "Enter") { event.preventDefault(); follow(); }
      });
    }
  }

  // And back: what belongs to a table or query stands out.
  const parts = () => picture.querySelectorAll("g[data-table], [data-queries], [data-query]");
  const lightUp = (lit) => {
    for (const part of parts()) part.classList.toggle("lit", lit.includes(part));
    frame.classList.toggle("is-lit", lit.length > 0);
  };
  const names = (part, attribute) => (part.getAttribute(attribute) || "").split(" ");
  for (const link of document.querySelectorAll("a.to-diagram")) {
    const described = link.closest("article").dataset;
    const kind = described.table === undefined ? "query" : "table";
    const name = described[kind];
    link.setAttribute("aria-label", `Show ${name} in the diagram`);
    link.addEventListener("click", (event) => {
      const lit = [...parts()].filter((part) => kind === "table"
        ? part.getAttribute("data-table") === name || names(part, "data-to").includes(name) || names(part, "data-from").includes(name)
        : part.getAttribute("data-query") === name || names(part, "data-queries").includes(name));
      lightUp(lit);
      const own = (part) => part.id.startsWith(kind + "-") && part.getAttribute("data-" + kind) === name;
      const first = lit.find(own) || lit[0];
      if (!first) return;
      event.preventDefault();
      document.getElementById("diagram").scrollIntoView();
      const [box, outer] = [first.getBoundingClientRect(), frame.getBoundingClientRect()];
      frame.scrollLeft += box.left - outer.left - (frame.clientWidth - box.width) / 2;
      frame.scrollTop += box.top - outer.top - (frame.clientHeight - box.height) / 2;
      if (first.hasAttribute("tabindex")) first.focus({ preventScroll: true });
    });
  }
  addEventListener("keydown", (event) => { if (event.key === "Escape") lightUp([]); });
  frame.addEventListener("click", (event) => { if (!event.target.closest("[role=link]")) lightUp([]); });
})();
