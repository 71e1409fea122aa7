import type { Reporter, TestModule, TestSpecification } from 'vitest/node';
import { appendLine, beginStage } from './stage.ts';

interface Project {
  unfinishedFiles: number;
  endStage?: () => void;
}

/**
 * Records each vitest project as a stage, from its first file to its last, and the duration of each file with its
 * imports and hooks.
 */
class LedgerReporter implements Reporter {
  private readonly projects = new Map<string, Project>();

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    for (const { project } of specifications) this.projectOf(project.name).unfinishedFiles += 1;
  }

  onTestModuleQueued(module: TestModule): void {
    this.projectOf(module.project.name).endStage ??= beginStage(`tests: ${module.project.name}`);
  }

  onTestModuleEnd(module: TestModule): void {
    const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic();
    const milliseconds = environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration;
    appendLine({ file: module.relativeModuleId, wallSeconds: milliseconds / 1000 });
    const project = this.projectOf(module.project.name);
    project.unfinishedFiles -= 1;
    if (project.unfinishedFiles === 0) project.endStage?.();
  }

  private projectOf(name: string): Project {
    const project = this.projects.get(name) ?? { unfinishedFiles: 0 };
    this.projects.set(name, project);
    return project;
  }
}

/** Reporters for the vitest configuration. Empty unless a ledger is written. */
export const ledgerReporters = (): Reporter[] =>
  process.env['RUNSHEET_TEST_LEDGER_FILE'] ? [new LedgerReporter()] : [];
