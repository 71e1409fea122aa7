/** A vitest reporter that prints the skipped tests by reason, at the end of the test run. */
import type { Reporter, TestModule } from 'vitest/node';

export class SkippedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const byReason = new Map<string, string[]>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        const reason = ('note' in result ? result.note : undefined) ?? 'no reason given';
        byReason.set(reason, [...(byReason.get(reason) ?? []), `${module.relativeModuleId}: ${test.fullName}`]);
      }
    }
    if (byReason.size === 0) return;
    console.log('\nSkipped | why');
    for (const [reason, tests] of byReason) {
      console.log(`${String(tests.length).padStart(7)} | ${reason}`);
      for (const test of tests) console.log(`        |   ${test}`);
    }
  }
}

/** Prints the files that did not run at all, each with its reason. */
export function printSkipped(lines: readonly string[]): void {
  if (lines.length === 0) return;
  console.log('\nNot run');
  for (const line of lines) console.log(`  ${line}`);
}
