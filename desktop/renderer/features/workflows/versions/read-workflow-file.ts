import type { AppFailure } from '#renderer/api/app-failure.ts';
import { said, t } from '#renderer/language/translate.ts';

export interface ReadFile {
  /** The text as the portal takes it; null if the file cannot be read. */
  content: string | null;
  /** Says what is wrong with the file, or why the portal refused it, with the line if it is known. */
  problemOf: (failure?: AppFailure) => string;
}

/**
 * Reads an exported workflow. YAML is read here and sent as JSON, so a hostile file costs only the browser of the person
 * who chose it, and the lines of the file are known when the portal says what is wrong.
 */
export async function readWorkflowFile(file: File): Promise<ReadFile> {
  const text = await file.text();
  if (!/\.ya?ml$/i.test(file.name)) return { content: text, problemOf: (failure) => failure?.message ?? '' };
  const { readManifest } = await import('#shared/manifests/read-manifest.ts');
  const { value, problems, lineOf } = readManifest(text);
  const [first] = problems;
  return {
    content: first ? null : JSON.stringify(value),
    problemOf: (failure) => {
      if (!failure) return first ? atLine(first.line, first.message) : '';
      const pointer = Object.keys(failure.modelState).find((field) => field.startsWith('/'));
      return pointer === undefined ? failure.message : atLine(lineOf(pointer), failure.message);
    },
  };
}

const atLine = (line: number, message: string): string => t('Line {line}: {message}', { line, message: said(message) });
