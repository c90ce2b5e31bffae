#include "parts.h"

double scale_of(int n)
{
	return n > 3 ? 2 : 1;
}
