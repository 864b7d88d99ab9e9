// Takes the pictures of the html report that the docs show: make pictures.
import { chromium } from "playwright-core";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "..");
const dir = await mkdtemp(path.join(tmpdir(), "sparkdoctor-"));
const file = path.join(dir, "report.html");
await new Promise((resolve, reject) => {
  const args = ["scan", "-f", "examples/broken-cluster", "--complete", "-o", "html=" + file];
  execFile(process.env.SPARKDOCTOR_BINARY, args, { cwd: root }, (error, _, stderr) => {
    error && error.code !== 1 ? reject(new Error(stderr)) : resolve(); // 1: findings, which the example is for
  });
});
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
for (const colorScheme of ["light", "dark"]) {
  const page = await browser.newPage({ colorScheme, viewport: { width: 960, height: 900 } });
  await page.goto(pathToFileURL(file).href);
  await page.screenshot({ path: path.join(root, "docs", `report-${colorScheme}.png`) });
}
await browser.close();
await rm(dir, { recursive: true, force: true });
