/** Words that reveal the purpose of cells in English, German, French, Spanish, Portuguese, Italian and Dutch. */

/** Matches whole words. `\b` does not know letters with accents. */
const words = (...lists: string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${lists.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
/** Matches a text that begins with one of the words. */
const atStart = (...lists: string[]): RegExp => new RegExp(`^(?:${lists.join('|')})(?![\\p{L}\\p{N}])`, 'iu');

const STRONG_RESULTS = words(
  'grand total|total due|amount due|balance due|net (?:total|pay|income|profit|salary|present value|worth|amount)',
  'final|results?|npv|irr|roi|moic|wacc|payback|break.?even|bottom line|monthly payments?|profit after tax|net profit',
  'net income|share price|value per share|take.?home|verdict|recommendation',
  'gesamtsumme|endsumme|endbetrag|rechnungsbetrag|gesamtbetrag|zahlbetrag|ergebnis|nettolohn|kapitalwert|monatsrate',
  'total ttc|montant total|net à payer|reste à payer|résultats?|bénéfice net|salaire net|mensualités?|seuil de rentabilité',
  'total a pagar|importe total|resultados?|beneficio neto|utilidad neta|salario neto|sueldo neto|cuota mensual',
  'total geral|valor total|lucro líquido|salário líquido|ponto de equilíbrio|punto de equilibrio|total general',
  'totale da pagare|totale fattura|risultat[oi]|utile netto|stipendio netto|rata mensile',
  'te betalen|eindtotaal|totaalbedrag|resultaat|nettoloon|nettowinst|maandlast(?:en)?',
);
const RESULTS = words(
  'totals?|sum|net|due|payable|price|value|profit|margin|payments?|costs?|balance|amount|score|average|mean|required',
  'savings|return|revenue|income|tax|interest|yield|rate|ratio|difference|remaining|surplus|deficit|gross|output',
  'estimate|grade',
  '(?:gesamt|brutto|netto)\\p{L}*|\\p{L}*(?:summe|betrag|gewinn|kosten|preis|ertrag|umsatz|steuer)|saldo|wert|endwert',
  'kapital|differenz|überschuss|ersparnis|rendite|durchschnitt',
  'totaux|somme|montant|ht|ttc|brut|solde|prix|coûts?|valeur|marge|bénéfice|revenus?|impôts?|intérêts?|moyenne|rendement',
  'suma|importe|neto|bruto|precio|costes?|costos?|valor|margen|beneficio|ganancia|utilidad|ingresos?|impuestos?',
  'promedio|diferencia|soma|líquido|preço|custos?|margem|lucro|receitas?|impostos?|juros|média|diferença|economia',
  'totale|somma|importo|lordo|prezzo|cost[oi]|valore|margine|utile|guadagno|ricav[oi]|imposta|interessi|differenza',
  'totaal|bedrag|prijs|waarde|winst|omzet|belasting|gemiddelde|verschil|besparing',
);
const CHECKS = words(
  'checks?|errors?|helper|temp|dummy|flag|lookup|index|row number|test|probe|kontrolle|hilfs\\p{L}*|pruefung|prüfung',
  'contrôle|vérification|erreur|comprobación|verificación|verificação|conferência|erro|controllo|errore|verifica|controle',
);
const TOTALS = atStart(
  '(?:grand |sub.?|net )?(?:total|totals|sum|summe|gesamt|average|mean|max|min|maximum|minimum)|durchschnitt|mittelwert',
  'zwischensumme|gesamt(?:summe|betrag)|totaux|sous.total|somme|moyenne|suma|promedio|soma|média|totale|somma',
  '(?:sub)?totaal|som|gemiddelde',
);
const STATISTICS = atStart(
  'min|max|minimum|maximum|median|mean|average|std|stdev|standard|durchschnitt|mittelwert|moyenne|médiane|promedio',
  'mediana|m[íi]nimo|m[áa]ximo|média|massimo|gemiddelde',
);
const SERIALS = atStart(
  '(?:no|nr|n[°º]|#|num|number|item|pos|position|id|s\\.?\\s?no|sl\\.?\\s?no|sr\\.?\\s?no|period|month|year|day|week|t|n|i|step|line)\\.?$',
  '(?:jahr|monat|tag|lfd\\.? ?nr|num[ée]ro|número|ligne|mois|année|jour|mes|año|día|mês|ano|dia|mese|anno|giorno)\\.?$',
  '(?:maand|jaar|dag|nummer)\\.?$',
);
const RESULT_SHEETS = words(
  'summary|dashboard|outputs?|results?|report|overview|verdict|recommendation|ergebnis(?:se)?|zusammenfassung|übersicht',
  'auswertung|résumé|résultats?|synthèse|tableau de bord|resumen|resultados?|informe|resumo|relatório|painel',
  'riepilogo|risultati|samenvatting|resultaten|overzicht',
);
const INPUT_SHEETS = words(
  'inputs?|assumptions?|parameters?|main|calculator|calculation|eingaben?|annahmen|rechner|kalkulation|berechnung',
  'saisie|hypothèses|paramètres|calcul|calculateur|entradas?|supuestos|parámetros|cálculo|calculadora|premissas',
  'parâmetros|parametri|ipotesi|calcolo|calcolatore|invoer|aannames|berekening',
);
const SUPPORTING_SHEETS = words(
  'instructions?|readme|read me|notes|changelog|version|help|license|about|lists?|lookups?|reference|methodology',
  'sources?|data|backend|back end|hinweise|anleitung|hilfe|listen?|daten|stammdaten|aide|listes|données',
  'instrucciones|ayuda|listas|notas|datos|instruções|ajuda|dados|istruzioni|aiuto|elenchi|dati|instructies|uitleg',
  'lijsten|gegevens',
);

const INPUT_WORDS = [
  'inputs?|input values?|assumptions?|parameters?|drivers|variables|givens?|data entry|eingaben?|annahmen|vorgaben',
  'parameter|saisie|données d.entrée|hypothèses|paramètres|entradas?|datos de entrada|supuestos|hipótesis|parámetros',
  'dados de entrada|premissas|parâmetros|ipotesi|parametri|invoer|aannames|uitgangspunten',
];
const RESULT_WORDS = [
  'outputs?|results?|derived|calculated|calculations?|summary|metrics|ergebnisse?|berechnung(?:en)?|auswertung',
  'zusammenfassung|résultats?|synthèse|résumé|resultados?|resumen|resumo|risultat[oi]|riepilogo|resultaten|resultaat',
  'berekening(?:en)?|samenvatting',
];
/** A heading may continue after the word, but not as a sentence. */
const heading = (lists: readonly string[]): RegExp =>
  new RegExp(`^(?:.*(?<![\\p{L}\\p{N}]))?(?:${lists.join('|')})(?![\\p{L}\\p{N}])(?:.{0,25})$`, 'iu');
const INPUT_HEADINGS = heading(INPUT_WORDS);
const RESULT_HEADINGS = heading(RESULT_WORDS);

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
