"use strict";
(() => {
  const form = document.getElementById("filter");
  if (!form) return;
  const text = document.getElementById("text"), shown = document.getElementById("shown");
  const groups = [...document.querySelectorAll(".group")];
  const articles = groups.flatMap((group) => [...group.querySelectorAll("article")]);
  const words = new Map(articles.map((a) => [a, (a.closest(".group").querySelector("h3").textContent + " " + a.textContent).toLowerCase()]));
  const apply = () => {
    const severities = new Set([...form.querySelectorAll("input[name=severity]:checked")].map((box) => box.value));
    const wanted = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const group of groups) {
      let any = false;
      for (const article of group.querySelectorAll("article")) {
        const match = severities.has(group.dataset.severity) && wanted.every((word) => words.get(article).includes(word));
        article.hidden = !match;
        any = any || match;
        count += match ? 1 : 0;
      }
      group.hidden = !any;
      if (wanted.length) group.querySelector(".findings").open = any;
    }
    shown.textContent = count + " of " + articles.length + " findings shown";
  };
  const open = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    const folded = target && target.closest("details");
    if (folded) folded.open = true;
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", open);
  form.hidden = false;
  apply();
  open();
})();
