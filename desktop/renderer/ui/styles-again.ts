/**
 * Retries style sheets that could not be fetched. When a part is imported again, the build's loader fetches its code
 * again but not its style sheets, which it considers loaded.
 */
const failed = new Set<HTMLLinkElement>();

document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failed.add(target);
  },
  true,
);

/** Fetches all of them again. Rejects if one fails again. */
export async function fetchStylesAgain(): Promise<void> {
  await Promise.all([...failed].map(fetchAgain));
}

function fetchAgain(old: HTMLLinkElement): Promise<void> {
  failed.delete(old);
  return new Promise((resolve, reject) => {
    const link = old.cloneNode() as HTMLLinkElement;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => reject(new Error(`The style sheet ${link.href} could not be fetched`)));
    old.replaceWith(link);
  });
}
