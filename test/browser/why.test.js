// Opens the case files of why in Chromium: a failure, a slow job, one that runs, and one whose evidence is gone.
import assert from "node:assert/strict";
import path from "node:path";
import { after, before, test } from "node:test";
import { killed, open, pictures, printed, running, slow, sound, start, stop, unfold, unknown, views } from "./harness.js";

before(start);
after(stop);

for (const [name, make] of Object.entries({ killed, slow, running, unknown })) {
  for (const view of views) {
    test(`case file ${name}, ${view.name}: no request, accessible, nothing cut off`, async () => {
      await open(await make(), view, async (page) => {
        await page.screenshot({ path: path.join(pictures, `why-${name}-${view.name}.png`), fullPage: true });
        await unfold(page);
        await sound(page);
      });
    });
  }

  test(`case file ${name} prints on one page or two`, async () => {
    await open(await make(), {}, async (page) => {
      const pages = await printed(page, "why-" + name);
      assert.ok(pages >= 1 && pages <= 2, `${pages} pages`);
    });
  });
}

test("the answer, the change and its command stand on the first screen", async () => {
  await open(await killed(), { viewport: { width: 1280, height: 800 } }, async (page) => {
    assert.match(await page.title(), /^risk\/var-scenarios: Killed by the cluster: 4 executors were OOMKilled/);
    assert.match(await page.locator("header .headline").textContent(), /^Killed by the cluster proven$/);
    const answer = page.locator("section.answer");
    const box = await answer.boundingBox();
    assert.ok(box.y + box.height < 800, "without scrolling");
    assert.match(await answer.textContent(), /change[^]*memoryOverhead/);
    await answer.locator(".copy").first().click();
    await page.waitForFunction(() => /^Copied|^Not copied/.test(document.getElementById("said").textContent)); // the clipboard takes its time
  });
});

test("attempts, driver, executors and losses are drawn", async () => {
  await open(await killed(), {}, async (page) => {
    assert.deepEqual(await page.locator(".lanes .label").allTextContents(), ["attempt 1", "application", "driver", "executors"]);
    assert.equal(await page.locator(".lanes li", { hasText: "attempt 1" }).locator(".failed").count(), 1);
    assert.equal(await page.locator(".lanes li", { hasText: "driver ended" }).locator(".runs").count(), 1);
    assert.equal(await page.locator(".lanes .lost").count(), 4);
    assert.match(await page.locator(".moments").textContent(), /\+41 min 20 s executor lost: OOMKilled/);
  });
});

test("what runs is drawn until now", async () => {
  await open(await slow(), {}, async (page) => {
    assert.match(await page.locator(".axis").textContent(), /10:00:00.*10:48:20/);
    const bar = await page.locator(".lanes li", { hasText: "driver running" }).locator(".runs").boundingBox();
    const all = await page.locator(".lanes svg").first().boundingBox();
    assert.ok(bar.width > .98 * all.width, `${bar.width} of ${all.width}`);
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
