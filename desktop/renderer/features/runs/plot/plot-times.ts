import { formatDay, formatDayTime } from '#renderer/ui/format-date.ts';

const DAY = 86_400;

/** Marks of an axis of time: days, or with the time of day where they are closer; none twice. */
export function timeText(splits: readonly number[]): string[] {
  const isClose = splits.length > 1 && splits[1]! - splits[0]! < DAY;
  const texts = splits.map((seconds) => (isClose ? formatDayTime : formatDay)(seconds * 1000));
  return texts.map((text, index) => (text === texts[index - 1] ? '' : text));
}
