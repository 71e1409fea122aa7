import { formatSerialDate, toSerial } from '#shared/codecs/serial-date.ts';
import { t } from '#renderer/language/translate.ts';
import { useProfile } from './profile.ts';

/** The expiry is shown in red when fewer days than this remain. Source: specification of security, section 9. */
const WARN_DAYS = 15;

/** Licensee and expiry of the portal's license; 'Community' if no license is needed. */
export function LicenseInfo() {
  const license = useProfile()?.License;
  if (!license) return null;
  const daysLeft = license.Expiry === null ? Infinity : license.Expiry - today();
  if (daysLeft < 0) return <span className="rs-license rs-danger-text">{t('Invalid Licence')}</span>;
  return (
    <span className="rs-license rs-muted">
      {license.Company}
      {license.Expiry !== null && (
        <span className={daysLeft < WARN_DAYS ? 'rs-danger-text' : undefined}>
          {' '}
          {t('until {expiry}', { expiry: formatSerialDate(license.Expiry) })}
        </span>
      )}
    </span>
  );
}

function today(): number {
  const date = new Date();
  return toSerial({ year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() }) ?? 0;
}
