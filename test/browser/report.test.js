// Opens html reports in Chromium, as a reader would: in light and dark, wide and narrow, printed, and without script.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { accessible, blind, broken, compared, dir, gated, hostile, large, open, pictures, printed, sound, start, stop, unfold, views } from "./harness.js";

before(start);
after(stop);

for (const [name, make] of Object.entries({ broken, gated, hostile, compared, blind, large })) {
  for (const view of views) {
    test(`${name} report, ${view.name}: no request, accessible, nothing cut off`, async () => {
      await open(await make(), view, async (page) => {
        await page.screenshot({ path: path.join(pictures, `${name}-${view.name}.png`), fullPage: true });
        await sound(page);
        if (name === "large") return; // unfolded it is as "broken", only longer
        await unfold(page);
        await sound(page);
        const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        assert.equal(background, view.colorScheme === "dark" ? "rgb(20, 23, 26)" : "rgb(255, 255, 255)");
      });
    });
  }
}

test("a gate names what blocks it on the first screen of a phone", async () => {
  await open(await gated(), { viewport: { width: 360, height: 740 } }, async (page) => {
    assert.match(await page.title(), /^NO-GO: Spark Operator 2\.3\.0 → 2\.5\.2/);
    assert.equal(await page.locator("header .headline").textContent(), "NO-GO");
    const blocks = page.locator("#verdict > ol > li");
    assert.equal(await blocks.count(), 2);
    assert.match(await blocks.nth(0).textContent(), /1st\.job: operator 2\.5\.2 will reject its name[^]*SD7006[^]*hop 2\.4\.0[^]*do when its run is over, delete the SparkApplication/);
    const box = await blocks.nth(0).boundingBox();
    assert.ok(box.y + box.height < 740, "without scrolling");
  });
});

test("the commands of a step are copied as they are, folded or not", async () => {
  await open(await gated(), { viewport: { width: 360, height: 740 }, permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
    await page.locator(".runbook .copy").first().click();
    await page.getByText("Copied").first().waitFor();
    const lines = (await page.evaluate(() => navigator.clipboard.readText())).split("\n");
    assert.equal(lines.length, 2);
    for (const line of lines) assert.match(line, /^test -s before-\S+ \|\| kubectl sparkdoctor \S.*before-spark-operator-2\.3\.0\.(json|tar\.gz)$/);
  });
});

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
    const pages = await printed(page, "large");
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
    const pages = await printed(page, "broken");
    assert.ok(pages >= 2 && pages <= 10, `${pages} pages`);
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
