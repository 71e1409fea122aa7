/** Words that reveal the purpose of cells, in English and German, and a few that other languages share. */

const STRONG_RESULTS =
  /\b(?:grand total|total due|amount due|balance due|net (?:total|pay|income|profit|salary|present value|worth|amount)|final|result|results|npv|irr|roi|moic|wacc|payback|break.?even|bottom line|monthly payments?|profit after tax|net profit|net income|share price|value per share|take.?home|verdict|recommendation|gesamtsumme|endsumme|endbetrag|rechnungsbetrag|gesamtbetrag|ergebnis|nettolohn|kapitalwert)\b/i;
const RESULTS =
  /\b(?:total|totals|sum|net|due|payable|price|value|profit|margin|payment|payments|result|cost|costs|balance|amount|score|average|mean|required|savings|return|revenue|income|tax|interest|yield|rate|ratio|difference|remaining|surplus|deficit|gross|output|estimate|grade|summe|gesamt|brutto|netto|saldo|betrag|gewinn|kosten|preis|wert|ertrag|umsatz|steuer|endwert|kapital|totaal|totale|suma)\b/i;
const CHECKS =
  /\b(?:check|checks|error|errors|helper|temp|dummy|flag|lookup|index|row number|test|probe|kontrolle|hilfs\w*|pruefung|prüfung)\b/i;
const TOTALS =
  /^(?:grand |sub.?|net )?(?:total|totals|sum|summe|gesamt|average|mean|max|min|maximum|minimum|durchschnitt|mittelwert|zwischensumme|subtotal|totaal|suma)\b/i;
const STATISTICS = /^(?:min|max|minimum|maximum|median|mean|average|std|stdev|standard|durchschnitt|mittelwert)\b/i;
const SERIALS =
  /^(?:no|nr|#|num|number|item|pos|position|id|s\.?\s?no|sl\.?\s?no|sr\.?\s?no|period|month|year|day|week|t|n|i|step|line|jahr|monat|tag|lfd\.? ?nr)\.?$/i;
const RESULT_SHEETS =
  /\b(?:summary|dashboard|output|outputs|result|results|report|overview|verdict|recommendation|ergebnis|zusammenfassung|übersicht)\b/i;
const INPUT_SHEETS =
  /\b(?:input|inputs|assumption|assumptions|parameter|parameters|main|calculator|calculation|eingabe|eingaben|annahmen|parameter)\b/i;
const SUPPORTING_SHEETS =
  /\b(?:instruction|instructions|readme|read me|notes|changelog|version|help|license|about|list|lists|lookup|lookups|reference|methodology|sources?|data|backend|back end|hinweise|listen|daten)\b/i;

const INPUT_HEADINGS =
  /^(?:.*\b)?(?:inputs?|input values?|assumptions?|parameters?|drivers|variables|givens?|data entry|eingaben?|annahmen|vorgaben|parameter)\b(?:.{0,25})$/i;
const RESULT_HEADINGS =
  /^(?:.*\b)?(?:outputs?|results?|derived|calculated|calculations?|summary|metrics|ergebnisse?|berechnung(?:en)?|auswertung|zusammenfassung)\b(?:.{0,25})$/i;

export const isInputHeading = (text: string): boolean => INPUT_HEADINGS.test(text);
export const isResultHeading = (text: string): boolean => RESULT_HEADINGS.test(text);
export const resultWord = (text: string): number => (STRONG_RESULTS.test(text) ? 2 : RESULTS.test(text) ? 1 : 0);
export const isCheckWord = (text: string): boolean => CHECKS.test(text);
export const isTotalWord = (text: string): boolean => TOTALS.test(text.trim());
export const isStatisticWord = (text: string): boolean => STATISTICS.test(text.trim());
export const isSerialWord = (text: string): boolean => SERIALS.test(text.trim());
export const isResultSheet = (name: string): boolean => RESULT_SHEETS.test(name);
export const isInputSheet = (name: string): boolean => INPUT_SHEETS.test(name);
export const isSupportingSheet = (name: string): boolean => SUPPORTING_SHEETS.test(name);
