// Opens the case files of why in Chromium: a failure, a slow job, one that runs, and one whose evidence is gone.
import assert from "node:assert/strict";
import path from "node:path";
import { after, before, test } from "node:test";
import { accessible, clipped, killed, open, pictures, running, slow, start, stop, unknown } from "./harness.js";

before(start);
after(stop);

for (const [name, make] of Object.entries({ killed, slow, running, unknown })) {
  for (const colorScheme of ["light", "dark"]) {
    for (const [size, viewport] of Object.entries({ wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 800 } })) {
      test(`case file ${name}, ${colorScheme}, ${size}: no request, accessible, nothing cut off`, async () => {
        await open(await make(), { colorScheme, viewport }, async (page) => {
          await page.screenshot({ path: path.join(pictures, `why-${name}-${colorScheme}-${size}.png`), fullPage: true });
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
          await page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
          await accessible(page);
          assert.deepEqual(await clipped(page), []);
        });
      });
    }
  }
}

test("the answer, the change and its command stand on the first screen", async () => {
  await open(await killed(), { viewport: { width: 1280, height: 800 } }, async (page) => {
    assert.match(await page.title(), /^risk\/var-scenarios: /);
    const answer = page.locator("section.answer");
    const box = await answer.boundingBox();
    assert.ok(box.y + box.height < 800, "without scrolling");
    assert.match(await answer.textContent(), /change[^]*memoryOverhead/);
    await answer.locator(".copy").first().click();
    await page.waitForFunction(() => /^Copied|^Not copied/.test(document.getElementById("said").textContent)); // the clipboard takes its time
  });
});

test("what ran when is drawn", async () => {
  await open(await killed(), {}, async (page) => {
    const lanes = page.locator(".lanes li");
    assert.ok(await lanes.count() >= 2);
    assert.ok(await page.locator(".lanes .moment").count() >= 3);
  });
});

test("a case file prints on two pages", async () => {
  await open(await killed(), {}, async (page) => {
    const pdf = await page.pdf({ format: "A4" });
    const pages = (pdf.toString("latin1").match(/\/Type\s*\/Page\b/g) ?? []).length;
    assert.ok(pages >= 1 && pages <= 2, `${pages} pages`);
  });
});

test("much evidence is folded, and printed all the same", async () => {
  await open(await killed(), {}, async (page) => {
    const last = page.locator("section[aria-label=Evidence] details li").last();
    assert.equal(await last.isVisible(), false);
    await page.emulateMedia({ media: "print" });
    assert.ok(await last.evaluate((e) => e.checkVisibility({ contentVisibilityAuto: true })), "evidence");
  });
});
