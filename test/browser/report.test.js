// Opens html reports in Chromium, as a reader would: in light and dark, wide and narrow, printed, and without script.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { accessible, blind, broken, clipped, compared, dir, hostile, large, open, pictures, start, stop } from "./harness.js";

before(start);
after(stop);

for (const [name, make] of Object.entries({ broken, hostile, compared, blind, large })) {
  for (const colorScheme of ["light", "dark"]) {
    for (const [size, viewport] of Object.entries({ wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 800 } })) {
      test(`${name} report, ${colorScheme}, ${size}: no request, accessible, nothing cut off`, async () => {
        await open(await make(), { colorScheme, viewport }, async (page) => {
          await page.screenshot({ path: path.join(pictures, `${name}-${colorScheme}-${size}.png`), fullPage: true });
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
          await accessible(page);
          assert.deepEqual(await clipped(page), []);
          if (name === "large") return; // unfolded it is as "broken", only longer
          await page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
          await accessible(page);
          assert.deepEqual(await clipped(page), []);
          const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
          assert.equal(background, colorScheme === "dark" ? "rgb(20, 23, 26)" : "rgb(255, 255, 255)");
        });
      });
    }
  }
}

test("a link to a check opens its page", async () => {
  await open(await broken(), {}, async (page) => {
    await page.locator(".cause", { hasText: "SD2001" }).first().locator("> summary").click();
    await page.locator("a[href='#check-SD2001']:visible").first().click();
    await page.locator("#check-SD2001 .page").waitFor({ state: "visible" });
  });
});

test("without script all text is there, and the filter is not", async () => {
  await open(await broken(), { javaScriptEnabled: false }, async (page) => {
    assert.equal(await page.locator("form:visible").count(), 0);
    assert.equal(await page.locator("button:visible").count(), 0);
    await page.locator(".cause > summary").first().click();
    await page.locator("article:visible summary").first().click();
    await page.locator("article table").first().waitFor({ state: "visible" });
  });
});

test("360 findings print on four pages, each object among them", async () => {
  await open(await large(), {}, async (page) => {
    assert.ok(await page.locator("article").count() >= 360);
    const pdf = await page.pdf({ format: "A4", path: path.join(pictures, "large.pdf") });
    const pages = (pdf.toString("latin1").match(/\/Type\s*\/Page\b/g) ?? []).length;
    assert.ok(pages >= 2 && pages <= 4, `${pages} pages`);
    await page.emulateMedia({ media: "print" });
    const hidden = await page.locator("article h4").evaluateAll((all) => all.filter((e) => !e.checkVisibility({ contentVisibilityAuto: true })).length);
    assert.equal(hidden, 0, "objects that are not printed");
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
    const text = await page.locator("article h4").first().textContent();
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
