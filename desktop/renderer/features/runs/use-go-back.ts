import { useLocation } from 'react-router-dom';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';

/** Back to where one came from; a page that was opened by its address leads to the activities. */
export function useGoBack(): () => void {
  const navigate = useNavigateWhileHere();
  const { key } = useLocation();
  return () => void (key === 'default' ? navigate('/activities/') : navigate(-1));
}
