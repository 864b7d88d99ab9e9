// Opens html reports in Chromium, as a reader would: in light and dark, wide and narrow, printed, and without script.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, "..", "..");
const binary = process.env.SPARKDOCTOR_BINARY;
const executablePath = process.env.CHROMIUM;
const pictures = process.env.PICTURES; // a folder for screenshots

let browser, dir, axe;

before(async () => {
  assert.ok(binary && executablePath && pictures, "run it by make test-browser");
  dir = await mkdtemp(path.join(tmpdir(), "sparkdoctor-"));
  await mkdir(pictures, { recursive: true });
  axe = await readFile(path.join(here, "node_modules", "axe-core", "axe.min.js"), "utf8");
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});

after(async () => {
  await browser?.close();
  await rm(dir, { recursive: true, force: true });
});

// scan fails with exit code 2; 0, 1 and 3 say what was found.
function scan(...args) {
  return new Promise((resolve, reject) => {
    execFile(binary, ["scan", ...args], { cwd: root }, (error, _, stderr) => {
      error && ![1, 3].includes(error.code) ? reject(new Error(stderr)) : resolve();
    });
  });
}

// report scans files and returns the address of the page.
async function report(name, ...args) {
  const file = path.join(dir, name + ".html");
  await scan(...args, "-o", "html=" + file);
  return pathToFileURL(file).href;
}

const broken = () => report("broken", "-f", "examples/broken-cluster", "--complete");
const hostile = () => report("hostile", "-f", path.join(here, "hostile.yaml"), "--checks", "SD2001");
// Everything that a report can hold: new, unchanged and resolved findings, and accepted ones.
const compared = async () => {
  const baseline = path.join(dir, "baseline.json");
  await scan("-f", "examples/broken-cluster", "--complete", "--skip-checks", "SD2005", "-o", "json=" + baseline);
  return report("compared", "-f", "examples/broken-cluster", "--complete", "--skip-checks", "SD2001,SD3002", "--baseline", baseline, "--ignore", "SD3001: pruned every night", "--show-suppressed");
};
const blind = () => report("blind", "-f", "examples/broken-cluster/services.yaml");

// open fails on anything that a page which needs nothing does not do: a request, an error, a dialog, a breach of its policy.
async function open(url, options, check) {
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

async function accessible(page) {
  await page.evaluate(axe);
  const result = await page.evaluate(() => window.axe.run());
  assert.ok(result.passes.length > 10, "axe looked at the page");
  const serious = result.violations.filter((v) => ["serious", "critical"].includes(v.impact));
  assert.deepEqual(serious.map((v) => v.id + ": " + v.nodes.map((n) => n.html).join(" ")), []);
}

for (const [name, make] of Object.entries({ broken, hostile, compared, blind })) {
  for (const colorScheme of ["light", "dark"]) {
    for (const [size, viewport] of Object.entries({ wide: { width: 1100, height: 900 }, narrow: { width: 380, height: 800 } })) {
      test(`${name} report, ${colorScheme}, ${size}: no request, no serious fault of accessibility, nothing cut off`, async () => {
        await open(await make(), { colorScheme, viewport }, async (page) => {
          await page.screenshot({ path: path.join(pictures, `${name}-${colorScheme}-${size}.png`), fullPage: true });
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
          await accessible(page);
          await page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
          await accessible(page);
          const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
          assert.equal(background, colorScheme === "dark" ? "rgb(20, 23, 26)" : "rgb(255, 255, 255)");
        });
      });
    }
  }
}

test("findings are filtered by severity and words", async () => {
  await open(await broken(), {}, async (page) => {
    const shown = () => page.locator("article:visible").count();
    const all = await shown();
    assert.ok(all > 5);
    await page.getByLabel("warning").uncheck();
    const fewer = await shown();
    assert.ok(fewer > 0 && fewer < all);
    assert.equal(await page.locator("output").textContent(), `${fewer} of ${all} findings shown`);
    await page.getByLabel("Search").fill("LEDGER foreground");
    assert.equal(await shown(), 1);
    assert.equal(await page.locator(".group:visible").count(), 1, "groups without a finding are gone too");
    await page.getByLabel("Search").fill("");
    await page.getByLabel("warning").check();
    assert.equal(await shown(), all);
  });
});

test("a link to a check opens its page", async () => {
  await open(await broken(), {}, async (page) => {
    await page.getByRole("link", { name: "About this check" }).first().click();
    await page.locator("#check-SD2001 .page").waitFor({ state: "visible" });
  });
});

test("without script all text is there, and the filter is not", async () => {
  await open(await broken(), { javaScriptEnabled: false }, async (page) => {
    assert.equal(await page.locator("form:visible").count(), 0);
    assert.ok((await page.locator("article:visible").count()) > 5);
    await page.locator("article summary").first().click();
    await page.locator("article table").first().waitFor({ state: "visible" });
  });
});

test("printed, the evidence is there and the controls are not", async () => {
  await open(await broken(), {}, async (page) => {
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator("form:visible").count(), 0);
    assert.ok(await page.locator("article table").first().evaluate((e) => e.checkVisibility({ contentVisibilityAuto: true })), "evidence");
    const pdf = await page.pdf({ format: "A4", path: path.join(pictures, "broken.pdf") });
    assert.ok(pdf.length > 10000);
  });
});

test("hostile names are text", async () => {
  await open(await hostile(), {}, async (page) => {
    assert.match(await page.title(), /^Spark on Kubernetes: 1 error/);
    assert.equal(await page.locator("img").count(), 0);
    assert.equal(await page.locator("script").count(), 1);
    const text = await page.locator("article h4").textContent();
    assert.match(text, /team\\u202e<style>.*<\/style> sparkapplication\/<\/code><script>document\.title='owned'<\/script><img/);
  });
});

test("a page that asks somebody, or that cannot be read, is noticed", async () => {
  const file = path.join(dir, "bad.html");
  await writeFile(file, "<!DOCTYPE html><title>x</title><p style='color:#eee'>grey</p>");
  await open(pathToFileURL(file).href, {}, (page) => assert.rejects(accessible(page), /color-contrast|passes|looked/));
  await writeFile(file, "<!DOCTYPE html><title>x</title><img src='https://leak.example/x'>");
  await assert.rejects(open(pathToFileURL(file).href, {}, async () => {}), /leak\.example/);
});
