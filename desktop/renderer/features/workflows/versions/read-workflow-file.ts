import { said, t } from '#renderer/language/translate.ts';

/**
 * Returns the text of an exported workflow as the portal takes it. YAML is read here and sent as JSON, so a hostile file
 * costs only the browser of the person who chose it.
 */
export async function readWorkflowFile(file: File): Promise<{ content: string } | { problem: string }> {
  const text = await file.text();
  if (!/\.ya?ml$/i.test(file.name)) return { content: text };
  const [{ readManifest }, { checkManifest }] = await Promise.all([
    import('#shared/manifests/read-manifest.ts'),
    import('#shared/manifests/check-manifest.ts'),
  ]);
  const { value, problems, lineOf } = readManifest(text);
  const found =
    problems.length > 0 ? problems : checkManifest(value).map((one) => ({ ...one, line: lineOf(one.pointer) }));
  const [first] = found.toSorted((one, other) => one.line - other.line);
  if (!first) return { content: JSON.stringify(value) };
  return { problem: t('Line {line}: {message}', { line: first.line, message: said(first.message) }) };
}
