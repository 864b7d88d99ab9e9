// What a reader does with the findings: filter them, copy a command, go through them by keyboard.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { broken, large, open, start, stop } from "./harness.js";

before(start);
after(stop);

const shown = (page) => page.locator("article:not([hidden])").count();

test("findings are filtered by severity and words", async () => {
  await open(await broken(), {}, async (page) => {
    const all = await shown(page);
    assert.ok(all > 5);
    await page.getByLabel("warning").uncheck();
    const fewer = await shown(page);
    assert.ok(fewer > 0 && fewer < all);
    assert.equal(await page.locator("output").textContent(), `${fewer} of ${all} findings shown`);
    await page.getByLabel("Search").fill("LEDGER foreground");
    assert.equal(await shown(page), 1);
    assert.equal(await page.locator(".cause:visible").count(), 1, "causes without a finding are gone too");
    assert.equal(await page.locator("article:visible").count(), 1, "and the one is unfolded");
    await page.getByLabel("Search").fill("no such words");
    assert.equal(await shown(page), 0);
    await page.getByText("No finding matches the filter.").waitFor({ state: "visible" });
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByText(`${all} of ${all} findings shown`).waitFor();
    assert.equal(await page.getByText("No finding matches the filter.").isVisible(), false);
  });
});

test("a namespace and a check show only their findings", async () => {
  await open(await large(), {}, async (page) => {
    assert.equal(await page.locator("output").textContent(), "360 of 360 findings shown");
    await page.locator("#in").selectOption({ label: "team-07" });
    assert.equal(await page.locator("output").textContent(), "12 of 360 findings shown");
    const objects = await page.locator("article:visible h4 code").allTextContents();
    assert.equal(objects.length, 12);
    assert.deepEqual(objects.filter((o) => !o.startsWith("team-07 ")), []);
    await page.locator("#check").selectOption("SD2002");
    assert.equal(await page.locator("output").textContent(), "3 of 360 findings shown");
    assert.equal(await page.locator(".cause:visible").count(), 1);
  });
});

test("a namespace of the table leads to its findings", async () => {
  await open(await large(), {}, async (page) => {
    await page.getByRole("rowheader", { name: "team-30" }).getByRole("link").click();
    await page.getByText("12 of 360 findings shown").waitFor();
    assert.match(page.url(), /#findings$/);
  });
});

test("360 findings take at most 6 screens, all folded", async () => {
  await open(await large(), { viewport: { width: 1280, height: 800 } }, async (page) => {
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(height <= 6 * 800, `${height} pixels`);
    assert.equal(await page.locator("article:visible").count(), 0);
    assert.equal(await page.locator(".namespaces tbody tr:visible").count(), 30);
  });
});

test("a button copies exactly its command", async () => {
  await open(await large(), { permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
    const commands = page.locator(".command:visible");
    assert.ok(await commands.count() > 0);
    const text = await commands.first().textContent();
    assert.match(text, /^kubectl /);
    await page.locator(".command:visible + .copy").first().click();
    await page.getByText("Copied").first().waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
  });
});

test("by keyboard alone", async () => {
  await open(await broken(), {}, async (page) => {
    const cause = page.locator(".cause > summary").first();
    const reached = [];
    for (let i = 0; i < 200 && !(await cause.evaluate((e) => e === document.activeElement)); i++) {
      await page.keyboard.press("Tab");
      reached.push(await page.evaluate(() => document.activeElement.id || document.activeElement.localName));
    }
    for (const id of ["text", "in", "check"]) assert.ok(reached.includes(id), id);
    await page.keyboard.press("Enter");
    await page.locator("article:visible").first().waitFor();
  });
});
