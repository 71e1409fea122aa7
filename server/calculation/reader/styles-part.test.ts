import { expect, it } from 'vitest';
import { readStylesPart } from './styles-part.ts';

const RELATIONSHIPS =
  '<Relationships><Relationship Id="rId1" Type="http://example.com/styles" Target="styles.xml"/></Relationships>';

function read(styles: string) {
  const parts: Record<string, string> = {
    'xl/_rels/workbook.xml.rels': RELATIONSHIPS,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
  };
  return readStylesPart({
    paths: Object.keys(parts),
    part: (path) => (parts[path] === undefined ? undefined : new TextEncoder().encode(parts[path])),
  })!;
}

const color = (more: object) => ({
  rgb: undefined,
  theme: undefined,
  indexed: undefined,
  tint: undefined,
  isAutomatic: false,
  ...more,
});

it('reads nothing of a workbook without styles', () => {
  expect(readStylesPart({ paths: [], part: () => undefined })).toBeNull();
});

it('reads fonts with their colors as written', () => {
  const { fonts } = read(
    '<fonts><font/><font><b/><i val="0"/><u val="none"/><strike val="1"/><sz val="9.5"/><color theme="4" tint="-0.25"/></font>' +
      '<font><u/><color auto="1"/></font></fonts>',
  );
  const plain = { color: null, isBold: false, isItalic: false, isUnderlined: false, isStruckOut: false, size: 11 };
  expect(fonts).toEqual([
    plain,
    { ...plain, isBold: true, isStruckOut: true, size: 9.5, color: color({ theme: '4', tint: '-0.25' }) },
    { ...plain, isUnderlined: true, color: color({ isAutomatic: true }) },
  ]);
});

it('reads the patterns and gradients of fills', () => {
  const { fills } = read(
    '<fills><fill/><fill><patternFill patternType="solid"><fgColor rgb="FFFFFF00"/><bgColor indexed="64"/></patternFill></fill>' +
      '<fill><gradientFill><stop position="0"><color theme="0"/></stop><stop position="1"><color rgb="FF00FF00"/></stop></gradientFill></fill></fills>',
  );
  const plain = { pattern: null, foreground: null, background: null, gradient: [] };
  expect(fills).toEqual([
    plain,
    { ...plain, pattern: 'solid', foreground: color({ rgb: 'FFFFFF00' }), background: color({ indexed: '64' }) },
    { ...plain, gradient: [color({ theme: '0' }), color({ rgb: 'FF00FF00' })] },
  ]);
});

it('reads the lines of borders, each with its own color', () => {
  const { borders } = read(
    '<borders><border><left/><right/></border><border><left style="thin"><color indexed="10"/></left><right><color rgb="FF0000FF"/></right>' +
      '<bottom style="double"/><diagonal style="thin"><color rgb="FFFF0000"/></diagonal></border></borders>',
  );
  expect(borders).toEqual([
    [],
    [
      { side: 'left', line: 'thin', color: color({ indexed: '10' }) },
      { side: 'bottom', line: 'double', color: null },
      { side: 'diagonal', line: 'thin', color: color({ rgb: 'FFFF0000' }) },
    ],
  ]);
});

it('reads the formats of cells, the named styles and the palette, and not what only other things use', () => {
  const { fonts, formats, builtinStyles, palette } = read(
    '<cellStyleXfs><xf fontId="7"/></cellStyleXfs><cellXfs><xf/><xf fontId="1" fillId="2" borderId="3" xfId="4">' +
      '<alignment horizontal="center" vertical="top" wrapText="1" indent="2"/><protection locked="0"/></xf></cellXfs>' +
      '<cellStyles><cellStyle name="Input" xfId="4" builtinId="20"/></cellStyles><dxfs><dxf><font><b/></font></dxf></dxfs>' +
      '<colors><indexedColors><rgbColor rgb="FF102030"/><rgbColor/></indexedColors></colors>',
  );
  const plain = {
    font: 0,
    fill: 0,
    border: 0,
    namedStyle: 0,
    isLocked: true,
    horizontal: 'general',
    vertical: 'bottom',
    wrapsText: false,
    indent: 0,
  };
  expect(formats).toEqual([
    plain,
    {
      font: 1,
      fill: 2,
      border: 3,
      namedStyle: 4,
      isLocked: false,
      horizontal: 'center',
      vertical: 'top',
      wrapsText: true,
      indent: 2,
    },
  ]);
  expect([fonts, [...builtinStyles], palette]).toEqual([[], [[4, 20]], ['FF102030', '']]);
});

it('stops at the number of formats that Excel can store', () => {
  const { formats } = read(`<cellXfs>${'<xf/>'.repeat(65_500)}</cellXfs>`);
  expect(formats).toHaveLength(65_490);
});
