/**
 * Style sheets that could not be fetched. Whoever imports a part once more gets its code, but none of the style sheets that were asked for with
 * it before: the build's loader takes them for fetched.
 */
const failed = new Set<HTMLLinkElement>();

document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failed.add(target);
  },
  true,
);

/** Fetches them again. Rejects where one fails again. */
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
