/** Writes amounts in Thai words, like BAHTTEXT. */
import { scaledDigits } from '#server/calculation/values/number-format/digits.ts';

const DIGITS = ['ศูนย์', 'หนึ่ง', 'สอง', 'สาม', 'สี่', 'ห้า', 'หก', 'เจ็ด', 'แปด', 'เก้า'];
const PLACES = ['', 'สิบ', 'ร้อย', 'พัน', 'หมื่น', 'แสน'];
const MILLION = 'ล้าน';
const [BAHT, WHOLE, SATANG, MINUS] = ['บาท', 'ถ้วน', 'สตางค์', 'ลบ'];

/** Writes up to six digits. A final one after tens is 'เอ็ด', two tens are 'ยี่สิบ', one ten is 'สิบ'. */
function group(digits: string): string {
  let words = '';
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[index]);
    const place = digits.length - 1 - index;
    if (digit === 0) continue;
    if (place === 1) words += digit === 1 ? '' : digit === 2 ? 'ยี่' : DIGITS[digit]!;
    else words += place === 0 && digit === 1 && /[1-9]/.test(digits.slice(0, -1)) ? 'เอ็ด' : DIGITS[digit]!;
    words += PLACES[place]!;
  }
  return words;
}

function whole(digits: string): string {
  let words = '';
  for (let end = digits.length % 6 || 6, start = 0; start < digits.length; start = end, end += 6) {
    words += group(digits.slice(start, end));
    if (end < digits.length) words += MILLION;
  }
  return words;
}

export function bahtText(amount: number): string {
  const digits = scaledDigits(Math.abs(amount), 2).padStart(3, '0');
  const baht = digits.slice(0, -2);
  const satang = digits.slice(-2);
  const bahtWords = baht === '0' ? '' : whole(baht) + BAHT;
  const satangWords = satang === '00' ? WHOLE! : group(satang) + SATANG;
  if (bahtWords === '' && satang === '00') return DIGITS[0]! + BAHT + WHOLE;
  return (amount < 0 ? MINUS! : '') + bahtWords + satangWords;
}
