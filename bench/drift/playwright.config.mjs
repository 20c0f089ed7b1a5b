// The same number of workers, the same Chromium, nothing that is not needed: no video, no trace, no retries.
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  testMatch: process.env.BENCH_SUITE ?? 'none',
  workers: Number(process.env.BENCH_WORKERS ?? 4),
  fullyParallel: true,
  retries: 0,
  reporter: [['json', { outputFile: process.env.BENCH_OUTPUT }]],
  outputDir: process.env.BENCH_SCRATCH,
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: process.env.BENCH_CHROMIUM,
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
  },
});
