/** A reporter for vitest: which tests were skipped, and why, after all others have been told of. */
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
    for (const [reason, tests] of byReason) {
      console.log(`\nSkipped (${tests.length}): ${reason}`);
      for (const test of tests) console.log(`  ${test}`);
    }
  }
}
