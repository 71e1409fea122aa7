import { Button, HTMLTable } from '@blueprintjs/core';
import { Duplicate } from '@blueprintjs/icons';
import type { SetupSetting } from '#shared/contract/setup.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { t } from '#renderer/language/translate.ts';
import { showMessage } from '#renderer/ui/toaster.tsx';

async function copyLine(line: string): Promise<void> {
  if (await bridge.copyText(line)) showMessage(t('Copied'));
}

/** A line to copy into the environment or a shell. */
function Line({ line }: { line: string }) {
  return (
    <span className="rs-setup-line">
      <code>{line}</code>
      <Button
        size="small"
        variant="minimal"
        icon={<Duplicate title={false} />}
        aria-label={t('Copy {line}', { line })}
        onClick={() => void copyLine(line)}
      />
    </span>
  );
}

/** The settings of a part with their values, behind a summary. */
export function SettingLines({ label, settings }: { label: string; settings: readonly SetupSetting[] }) {
  if (settings.length === 0) return null;
  return (
    <details className="rs-setup-settings">
      <summary>{t('Settings: {label}', { label })}</summary>
      <div className="rs-setup-table">
        <HTMLTable compact>
          <thead>
            <tr>
              <th scope="col">{t('Setting')}</th>
              <th scope="col">{t('Value')}</th>
              <th scope="col">{t('Line to copy')}</th>
            </tr>
          </thead>
          <tbody>
            {settings.map((setting) => (
              <tr key={setting.Field}>
                <th scope="row" className="rs-setup-name">
                  <code>{setting.Variable}</code>
                  <div className="rs-muted">{t('in the file: {field}', { field: setting.Field })}</div>
                </th>
                <td>{valueText(setting)}</td>
                <td>
                  <Line line={setting.Line} />
                </td>
              </tr>
            ))}
          </tbody>
        </HTMLTable>
      </div>
    </details>
  );
}

/** Secrets never leave the server, so their values are not known here. */
function valueText({ IsSecret, IsSet, Value }: SetupSetting): string {
  if (IsSecret) return IsSet ? t('set, not shown') : t('not set');
  if (Value === null || Value === '') return t('not set');
  return IsSet ? Value : t('{value} (default)', { value: Value });
}

/** Commands for the machine of the server. */
export function CommandLines({ commands }: { commands: readonly string[] }) {
  if (commands.length === 0) return null;
  return (
    <ul className="rs-plain-list" aria-label={t('Commands')}>
      {commands.map((command) => (
        <li key={command}>
          <Line line={command} />
        </li>
      ))}
    </ul>
  );
}
