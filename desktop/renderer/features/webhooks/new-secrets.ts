/**
 * The secrets of webhooks that were just created, until their page shows them. They are in memory only: the state of a
 * history entry would survive a reload and the restart of the browser, and show the secret again.
 */
const secrets = new Map<number, string>();

export const setNewSecret = (webhookId: number, secret: string): void => void secrets.set(webhookId, secret);

/** Returns null if the webhook was not just created. */
export const newSecretOf = (webhookId: number): string | null => secrets.get(webhookId) ?? null;

/** Call it once the page shows the secret. */
export const forgetNewSecret = (webhookId: number): void => void secrets.delete(webhookId);
