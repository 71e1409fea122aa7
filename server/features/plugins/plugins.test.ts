import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '#server/config/load-config.ts';
import { createAppearance } from '#server/features/appearance/appearance.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { createUser, grant, signedInUser } from '#test/support/users.ts';

const PAGES = [
  { name: 'Handbook', url: 'https://handbook.example.org/start' },
  { name: 'Rates', url: 'https://rates.example.org:8443/', rightToView: 'sk.RunActivity' },
  { name: 'Own right', url: 'https://rates.example.org:8443/own', rightToView: 'view.rates' },
];

let folder: string;
let app: TestApp;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runsheet-logos-'));
  await writeFile(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
  const settings = { pluginPages: PAGES, logo1: join(folder, 'logo.svg'), title: 'Acme "Tools" <1>' };
  app = await testApp({ settings });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const namesFor = async (headers: object): Promise<string[]> =>
  (await app.http.inject({ url: '/api/plugins', headers: { ...headers } }))
    .json<{ result: { Items: { name: string }[] } }>()
    .result.Items.map(({ name }) => name);

test('pages are listed and opened by those who hold their right, for whatever', async () => {
  const stranger = await signedInUser(app);
  expect(await namesFor(stranger.headers)).toEqual(['Handbook']);
  const open = (name: string) => app.http.inject({ url: `/api/plugins/${name}`, headers: stranger.headers });
  expect((await open('handbook')).json()).toEqual({ result: PAGES[0] });
  const refused = await open('Rates');
  expect([refused.statusCode, refused.json().message]).toEqual([403, 'Not allowed']);
  expect((await open('Nothing')).statusCode).toBe(404);
  await app.database.knex('Schemas').insert({ Name: 'Finance', DisplayName: 'Finance' });
  await grant(app, stranger.UserId, { right: 'sk.RunActivity', Schema: 'Finance' });
  expect(await namesFor(stranger.headers)).toEqual(['Handbook', 'Rates']);
  const admin = await createUser(app, { isUserAdmin: true });
  const { token } = await app.sessions.start(app.database.knex, admin.UserId, '127.0.0.1');
  expect(await namesFor({ authorization: `Bearer ${token}` })).toHaveLength(3);
});

test('frames may load from the origins of the pages, and from nowhere else', async () => {
  const directiveOf = async (from: TestApp): Promise<string | undefined> => {
    const policy = (await from.http.inject({ url: '/api/sso/config', method: 'POST' })).headers;
    return /frame-src [^;]*/.exec(String(policy['content-security-policy']))?.[0];
  };
  expect(await directiveOf(app)).toBe('frame-src https://handbook.example.org https://rates.example.org:8443');
  const plain = await testApp();
  expect(await directiveOf(plain)).toBe("frame-src 'none'");
  await plain.close();
});

test('the title and logos of the installation are public; a logo can execute nothing', async () => {
  const config = await app.http.inject({ url: '/api/sso/config', method: 'POST' });
  const { Settings } = config.json().result;
  expect(Settings).toMatchObject({ title: 'Acme "Tools" <1>', versionOnLogo: 1 });
  expect(Settings.logo2).toMatch(/^api\/settings\/logo\/2\?v=/);
  const page = await app.http.inject({ url: '/api/settings' });
  expect(page.json().result).toMatchObject({ title: 'Acme "Tools" <1>', logo2: Settings.logo2, passwordMaxLength: 50 });
  const logo = await app.http.inject({ url: `/${Settings.logo1}` });
  expect([logo.statusCode, logo.headers['content-type']]).toEqual([200, 'image/svg+xml']);
  const policy = String(logo.headers['content-security-policy']).split('; ');
  expect(policy).toEqual(
    expect.arrayContaining(['sandbox', "frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'"]),
  );
  const without = createAppearance(loadConfig({}), '1.0');
  expect(without.settings).toMatchObject({ title: 'Runsheet', logo1: '', logo2: '', betaUrl: '' });
});

test.each([
  ['RUNSHEET_PLUGIN_PAGES', '[{"name":"A","url":"http://elsewhere.example.org/"}]'],
  ['RUNSHEET_PLUGIN_PAGES', '[{"name":"A","url":"javascript:alert(1)"}]'],
  ['RUNSHEET_PLUGIN_PAGES', '[{"name":"a","url":"https://a.org"},{"name":"A","url":"https://b.org"}]'],
  ['RUNSHEET_PLUGIN_PAGES', '[{"name":"a/b","url":"https://a.org"}]'],
  ['RUNSHEET_BETA_URL', '//elsewhere'],
  ['RUNSHEET_BETA_URL', 'javascript:alert(1)'],
])('%s=%s is refused', (variable, value) => {
  expect(() => loadConfig({ [variable]: value })).toThrow(variable);
});

test('a logo that cannot be read ends the start with a line about it', () => {
  const config = { ...loadConfig({}), logo2: join(folder, 'missing.png') };
  expect(() => createAppearance(config, '1')).toThrow('RUNSHEET_LOGO2');
  expect(() => createAppearance({ ...config, logo2: '/etc/hostname' }, '1')).toThrow('RUNSHEET_LOGO2');
});
