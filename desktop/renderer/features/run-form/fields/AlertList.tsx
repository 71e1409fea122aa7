import { WarningSign } from '@blueprintjs/icons';
import { t } from '#renderer/language/translate.ts';

/** Messages of workbook rules that do not reject the value. */
export function AlertList({ alerts }: { alerts: readonly string[] }) {
  return (
    <div aria-live="polite">
      {alerts.slice(0, 5).map((text) => (
        <div className="rs-field-alert" key={text}>
          <WarningSign size={13} title={false} />
          <span>{text}</span>
        </div>
      ))}
      {alerts.length > 5 && (
        <div className="rs-field-alert">{t('and {alertsCount} more', { alertsCount: alerts.length - 5 })}</div>
      )}
    </div>
  );
}
