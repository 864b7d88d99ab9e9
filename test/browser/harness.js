// What the tests share: scans, and a browser that notices what a page does beyond showing itself.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { fleet } from "./fleet.js";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, "..", "..");
const binary = process.env.SPARKDOCTOR_BINARY;
const executablePath = process.env.CHROMIUM;
export const pictures = process.env.PICTURES; // a folder for screenshots

export let dir;
let browser, axe;

export async function start() {
  assert.ok(binary && executablePath && pictures, "run it by make test-browser");
  dir = await mkdtemp(path.join(tmpdir(), "sparkdoctor-"));
  await mkdir(pictures, { recursive: true });
  axe = await readFile(path.join(here, "node_modules", "axe-core", "axe.min.js"), "utf8");
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

export async function stop() {
  await browser?.close();
  await rm(dir, { recursive: true, force: true });
}

// run fails with exit code 2; 0, 1 and 3 say what was found.
function run(...args) {
  return new Promise((resolve, reject) => {
    execFile(binary, args, { cwd: root }, (error, _, stderr) => {
      error && ![1, 3].includes(error.code) ? reject(new Error(stderr)) : resolve();
    });
  });
}

const scan = (...args) => run("scan", ...args);

// report scans files and returns the address of the page.
async function report(name, ...args) {
  const file = path.join(dir, name + ".html");
  await scan(...args, "-o", "html=" + file);
  return pathToFileURL(file).href;
}

// What each page is opened as: on a phone, and on a screen.
export const views = Object.entries({ narrow: { width: 360, height: 740 }, wide: { width: 1280, height: 800 } })
  .flatMap(([size, viewport]) => ["light", "dark"].map((colorScheme) => ({ name: `${colorScheme}-${size}`, colorScheme, viewport })));

export const broken = () => report("broken", "-f", "examples/broken-cluster", "--complete");
// An upgrade that two applications block.
export const gated = async () => {
  const file = path.join(dir, "gated.html");
  await run("gate", "--to", "2.5.2", "-f", "examples/upgrade", "-o", "html=" + file);
  return pathToFileURL(file).href;
};
export const hostile = () => report("hostile", "-f", path.join(here, "hostile.yaml"), "--checks", "SD2001");
// Everything that a report can hold: new, unchanged and resolved findings, and accepted ones.
export const compared = async () => {
  const baseline = path.join(dir, "baseline.json");
  await scan("-f", "examples/broken-cluster", "--complete", "--skip-checks", "SD2005", "-o", "json=" + baseline);
  return report("compared", "-f", "examples/broken-cluster", "--complete", "--skip-checks", "SD2001,SD3002", "--baseline", baseline, "--ignore", "SD3001: pruned every night", "--show-suppressed");
};
// 360 findings in 30 namespaces.
export const large = async () => {
  const file = path.join(dir, "fleet.yaml");
  await writeFile(file, fleet(30));
  return report("large", "-f", file, "--complete", "--as-of", "2026-11-23T15:00:00Z");
};
// caseFile is the page of why about an application of the corpus, whose format pkg/why/testdata/corpus/README.md describes.
const caseFile = (name, application, namespace, asOf) => async () => {
  const file = path.join(dir, path.basename(name) + ".html");
  const from = path.join(dir, path.basename(name));
  const text = await readFile(path.join(root, "pkg/why/testdata/corpus", name + ".txtar"), "utf8");
  const [, ...sections] = text.split(/^-- (.+) --\n/m); // names and texts by turns
  for (let i = 0; i < sections.length; i += 2) {
    if (sections[i] === "case.yaml") continue;
    await mkdir(path.dirname(path.join(from, sections[i])), { recursive: true });
    await writeFile(path.join(from, sections[i]), sections[i + 1]);
  }
  await run("why", application, "-n", namespace, "-f", from, "-R", "--as-of", asOf, "-o", "html=" + file);
  return pathToFileURL(file).href;
};
export const killed = caseFile("clusterKilled/009-executor-oomkilled-job-aborted", "var-scenarios", "risk", "2026-11-12T19:18:20Z");
export const slow = caseFile("slowButProgressing/052-slow-for-pending-executors", "score-all", "shared-small", "2026-10-25T10:48:20Z");
export const running = caseFile("runningNormally/070-running-normally", "cube-build", "bi-nightly", "2026-11-19T01:21:40Z");
export const unknown = caseFile("unknown/005-exit-1-and-everything-gone", "blob-cleanup", "archive-jobs", "2026-06-19T01:00:00Z");

export const blind = () => report("blind", "-f", "examples/broken-cluster/services.yaml");

// open fails on anything that a page which needs nothing does not do: a request, an error, a dialog, a breach of its policy.
export async function open(url, options, check) {
  const context = await browser.newContext(options);
  const requests = [], faults = [];
  await context.route("**", (route) => {
    requests.push(route.request().url());
    return route.request().url() === url ? route.continue() : route.abort();
  });
  const page = await context.newPage();
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => faults.push(message.text()));
  page.on("dialog", (dialog) => { faults.push("dialog: " + dialog.message()); return dialog.dismiss(); });
  await page.goto(url);
  await check(page);
  assert.deepEqual(requests.filter((r) => r !== url), [], "requests");
  assert.deepEqual(faults, []);
  await context.close();
}

export async function accessible(page) {
  await page.evaluate(axe);
  const result = await page.evaluate(() => window.axe.run());
  assert.ok(result.passes.length > 10, "axe looked at the page");
  assert.deepEqual(result.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.html).join(" ")), []);
}

// sound fails where a page is wider than its window, inaccessible, or cuts something off.
export async function sound(page) {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
  await accessible(page);
  assert.deepEqual(await clipped(page), []);
}

export const unfold = (page) => page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = true; }));

// printed is of how many sheets of paper a page is.
export async function printed(page, name) {
  const pdf = await page.pdf({ format: "A4", path: path.join(pictures, name + ".pdf") });
  return (pdf.toString("latin1").match(/\/Type\s*\/Page\b/g) ?? []).length;
}

// clipped are the texts that their box does not show whole. What scrolls by itself may be wider than its box.
export const clipped = (page) => page.evaluate(() => [...document.querySelectorAll("h1, h2, h3, h4, pre, .axis, .label, .value, .badge, code, th, td, option, button, summary, a, p, li")]
  .concat([...document.querySelectorAll(".namespaces, .chart")].map((e) => e.parentElement))
  .filter((e) => e.checkVisibility() && e.clientWidth > 1 && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "auto")
  .map((e) => `${e.localName}.${e.className}: ${e.textContent.slice(0, 60)}`));
