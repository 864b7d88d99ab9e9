"use strict";
(() => {
  // What is folded around the target of a link is unfolded.
  const reveal = () => {
    for (let e = location.hash && document.getElementById(location.hash.slice(1)); e; e = e.parentElement) {
      if (e.localName === "details") e.open = true;
    }
  };
  addEventListener("hashchange", reveal);

  // A button behind each command copies exactly its text.
  const said = document.getElementById("said");
  const copy = async (source) => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      return true;
    } catch { // a page that the browser does not trust has no clipboard
      getSelection().selectAllChildren(source);
      return document.execCommand("copy");
    }
  };
  for (const source of document.querySelectorAll(".command")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy " + source.textContent);
    button.addEventListener("click", async () => {
      const done = await copy(source);
      button.textContent = said.textContent = done ? "Copied" : "Not copied: select the text";
      setTimeout(() => { button.textContent = "Copy"; said.textContent = ""; }, 2000);
    });
    source.after(button);
  }

  const form = document.getElementById("filter");
  if (form) {
    const [text, place, check, shown, none] = ["text", "in", "check", "shown", "none"].map((id) => document.getElementById(id));
    const causes = [...document.querySelectorAll(".cause")];
    const articles = causes.flatMap((cause) => [...cause.querySelectorAll("article")]);
    const words = new Map(articles.map((a) => [a, (a.closest(".cause").querySelector("h3").textContent + " " + a.textContent).toLowerCase()]));
    let unfolded = [];
    const apply = () => {
      const severities = new Set([...form.querySelectorAll("input[name=severity]:checked")].map((box) => box.value));
      const wanted = text.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const a of articles) {
        a.hidden = !(severities.has(a.dataset.severity) && (!check.value || a.dataset.check === check.value) &&
          (!place.value || a.dataset.in.split(" ").includes(place.value)) && wanted.every((word) => words.get(a).includes(word)));
      }
      const any = (part) => part.querySelector("article:not([hidden])") !== null;
      for (const part of document.querySelectorAll(".below")) part.hidden = !any(part);
      unfolded.forEach((cause) => { cause.open = false; });
      unfolded = [];
      for (const cause of causes) {
        cause.hidden = !any(cause);
        if (!cause.hidden && !cause.open && (wanted.length || place.value || check.value)) {
          cause.open = true;
          unfolded.push(cause);
        }
      }
      const count = articles.filter((a) => !a.hidden).length;
      shown.textContent = count + " of " + articles.length + " findings shown";
      none.hidden = count > 0;
    };
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(apply));
    for (const link of document.querySelectorAll("a[data-in]")) {
      link.addEventListener("click", () => { form.reset(); setTimeout(() => { place.value = link.dataset.in; apply(); }); });
    }
    form.hidden = false;
    apply();
  }
  reveal();
})();
