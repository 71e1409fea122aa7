import { Link } from 'react-router-dom';
import { t } from '#renderer/language/translate.ts';
import { useDocumentTitle } from '#renderer/ui/Page.tsx';

export function NotFoundPage() {
  useDocumentTitle(t('Page Not Found'));
  return (
    <div className="rs-empty">
      <h1>{t('Page Not Found.')}</h1>
      <Link to="/">{t('Home')}</Link>
    </div>
  );
}
