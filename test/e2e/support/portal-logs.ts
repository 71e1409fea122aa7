/** The last log lines of portals in this process, printed when a test fails. */
const MAX_LINES = 20;

let lines: string[] = [];

export const bufferLogLines = { write: (line: string): void => void (lines = [...lines.slice(1 - MAX_LINES), line]) };

export const takeLogLines = (): string => lines.splice(0).join('');
