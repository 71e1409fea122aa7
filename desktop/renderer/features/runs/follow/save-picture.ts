/** Saves a plot as a picture, with its title and the background of the page. */
const MARGIN = 16;
const TITLE = 36;

export async function savePicture(box: HTMLElement | null, title: string): Promise<void> {
  const plot = box?.querySelector('canvas');
  if (!plot) return;
  const ratio = window.devicePixelRatio;
  const picture = document.createElement('canvas');
  picture.width = plot.width + 2 * MARGIN * ratio;
  picture.height = plot.height + (2 * MARGIN + TITLE) * ratio;
  const context = picture.getContext('2d')!;
  const style = getComputedStyle(document.body);
  context.fillStyle = style.getPropertyValue('--rs-surface');
  context.fillRect(0, 0, picture.width, picture.height);
  context.fillStyle = style.getPropertyValue('--rs-text');
  context.font = `600 ${16 * ratio}px ${style.fontFamily}`;
  context.textBaseline = 'top';
  context.fillText(title, MARGIN * ratio, MARGIN * ratio, plot.width);
  context.drawImage(plot, MARGIN * ratio, (MARGIN + TITLE) * ratio);
  const blob = await new Promise<Blob | null>((resolve) => picture.toBlob(resolve, 'image/png'));
  if (!blob) return;
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = `${title}.png`;
  link.click();
  URL.revokeObjectURL(address);
}
